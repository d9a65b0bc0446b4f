import { useFormatter, useTranslations } from 'next-intl'
import { useState } from 'react'
import { Notice } from '@/components/ui/notice'
import { fillTemplate, MAILTO_SAFE_LENGTH, mailtoUrl, unknownPlaceholders } from '@/lib/contacts/reply-mail'
import type { NewTemplate } from '@/lib/contract/reply-template'

const SAMPLES = ['named', 'unnamed'] as const
const SAMPLE_ADDRESS = 'namn.efternamn@example.se'

type TemplatePreviewProps = { draft: Pick<NewTemplate, 'subject' | 'body'>; language: NewTemplate['language'] }

/** The mail as it will be, for somebody with a name and for somebody without. */
export function TemplatePreview({ draft, language }: TemplatePreviewProps) {
  const t = useTranslations('templates')
  const format = useFormatter()
  const [sample, setSample] = useState<(typeof SAMPLES)[number]>('named')
  const values = { firstName: sample === 'named' ? t('sampleName') : null, school: t('sampleSchool') }
  const subject = fillTemplate(draft.subject, values)
  const body = fillTemplate(draft.body, values)
  const { length } = mailtoUrl({ to: SAMPLE_ADDRESS, subject, body })
  const unknown = unknownPlaceholders(`${draft.subject} ${draft.body}`)
  return (
    <section aria-label={t('preview')} className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-center gap-2">
        <h2 className="flex-1 text-sm font-medium">{t('preview')}</h2>
        <fieldset className="flex gap-3 text-xs text-mute">
          <legend className="sr-only">{t('previewFor')}</legend>
          {SAMPLES.map((choice) => (
            <label key={choice} className="flex items-center gap-1.5 touch:min-h-11">
              <input type="radio" name="sample" checked={sample === choice} onChange={() => setSample(choice)} />
              {t(`sample.${choice}`)}
            </label>
          ))}
        </fieldset>
      </div>
      <div lang={language} className="rounded-lg border border-line bg-panel shadow-card">
        <p className="border-b border-line-soft px-4 py-2.5 font-medium wrap-anywhere">{subject || ' '}</p>
        <p className="min-h-40 px-4 py-3 leading-relaxed wrap-anywhere whitespace-pre-wrap">{body}</p>
      </div>
      {unknown.length > 0 && (
        <Notice size="xs" role="status">
          {t('unknownBraces', { names: format.list(unknown, { type: 'unit' }) })}
        </Notice>
      )}
      {length > MAILTO_SAFE_LENGTH && (
        <Notice size="xs" role="status">
          {t('long', { count: length, safe: MAILTO_SAFE_LENGTH })}
        </Notice>
      )}
    </section>
  )
}
