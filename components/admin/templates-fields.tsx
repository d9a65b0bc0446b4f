'use client'

import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input, inputClass } from '@/components/ui/input'
import type { NewTemplate } from '@/lib/contract/reply-template'
import { PLACEHOLDERS } from '@/lib/templates/fill-template'
import { useInsertAtCaret } from './use-insert-at-caret'

type Draft = Pick<NewTemplate, 'name' | 'subject' | 'body'>

type TemplatesFieldsProps = {
  draft: Draft
  language: NewTemplate['language']
  isNew: boolean
  /** Somebody tried to save: what is missing is said. */
  isTried: boolean
  onChange: (change: Partial<Draft>) => void
}

/** Name, subject and text, and buttons that put in a placeholder where the caret stands. */
export function TemplatesFields({ draft, language, isNew, isTried, onChange }: TemplatesFieldsProps) {
  const t = useTranslations('templates')
  const caret = useInsertAtCaret()
  const fault = (text: string) => (isTried && text.trim() === '' ? t('missing') : undefined)
  return (
    <>
      <Field label={t('field.name')} hint={t('nameHint')} error={fault(draft.name)}>
        {(attributes) => (
          <Input
            {...attributes}
            maxLength={80}
            value={draft.name}
            autoFocus={isNew}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('field.subject')} error={fault(draft.subject)}>
        {(attributes) => (
          <Input
            {...attributes}
            {...caret.watch((subject) => onChange({ subject }))}
            lang={language}
            maxLength={200}
            value={draft.subject}
            onChange={(event) => onChange({ subject: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('field.body')} error={fault(draft.body)}>
        {(attributes) => (
          <textarea
            {...attributes}
            {...caret.watch((body) => onChange({ body }), true)}
            lang={language}
            rows={12}
            maxLength={4_000}
            value={draft.body}
            onChange={(event) => onChange({ body: event.target.value })}
            className={`${inputClass} h-auto! resize-y py-2 leading-relaxed`}
          />
        )}
      </Field>
      <PlaceholderButtons onInsert={caret.insert} />
    </>
  )
}

function PlaceholderButtons({ onInsert }: { onInsert: (text: string) => void }) {
  const t = useTranslations('templates')
  return (
    <div role="group" aria-label={t('placeholders')} className="flex flex-wrap items-center gap-2 text-sm text-mute">
      <span aria-hidden>{t('placeholders')}</span>
      {PLACEHOLDERS.map((name) => (
        <Button
          key={name}
          size="sm"
          aria-label={t('insert', { name: t(`placeholder.${name}`) })}
          onClick={() => onInsert(`{${name}}`)}
        >
          {t(`placeholder.${name}`)}
        </Button>
      ))}
    </div>
  )
}
