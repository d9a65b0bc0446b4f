import { useTranslations } from 'next-intl'
import { buttonClass } from '@/components/ui/button-class'
import { PageHeader } from '@/components/ui/page-header'
import type { Locale } from '@/lib/i18n/locale'
import { DocumentParts, DocumentText, takeApart } from './document-text'

type DocumentScreenProps = {
  name: 'privacy' | 'security'
  markdown: string
  /** The language of the document, which may not be the person's. */
  language: Locale
  locale: Locale
}

/** A document that lies beside the code, as administrators read it; it prints as it stands. */
export function DocumentScreen({ name, markdown, language, locale }: DocumentScreenProps) {
  const t = useTranslations('documents')
  const { title, body, parts } = takeApart(markdown)
  const other = name === 'privacy' ? 'security' : 'privacy'
  return (
    <div className="page">
      <PageHeader
        title={t(`${name}.title`)}
        lead={t(`${name}.lead`)}
        action={
          <a href={`/admin/${other}`} className={buttonClass()}>
            {t(`${other}.title`)}
          </a>
        }
      />
      {language !== locale && <p className="max-w-prose text-sm text-mute">{t('otherLanguage')}</p>}
      <article lang={language} aria-label={title} className="flex flex-col gap-3 leading-6">
        <nav aria-label={t('parts')} lang={locale}>
          <DocumentParts parts={parts} />
        </nav>
        <DocumentText body={body} />
      </article>
    </div>
  )
}
