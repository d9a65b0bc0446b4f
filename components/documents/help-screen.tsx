import { useTranslations } from 'next-intl'
import { PageHeader } from '@/components/ui/page-header'
import type { Locale } from '@/lib/i18n/locale'
import { DocumentParts, DocumentText, takeApart } from './document-text'

/** What staff read when they want to know how something is done; it prints as a handbook. */
export function HelpScreen({ markdown, locale }: { markdown: string; locale: Locale }) {
  const t = useTranslations('documents')
  const { title, body, parts } = takeApart(markdown)
  return (
    <div className="page">
      <PageHeader title={t('help.title')} lead={t('help.lead')} />
      <div className="flex flex-col gap-6 wide:flex-row-reverse wide:justify-end wide:gap-12">
        <nav aria-label={t('parts')} className="wide:sticky wide:top-4 wide:w-56 wide:self-start print:hidden">
          <DocumentParts parts={parts} isColumn />
        </nav>
        <article aria-label={title} className="flex min-w-0 max-w-3xl flex-col gap-3 leading-6">
          <DocumentText body={body} pictures={`/help/${locale}`} />
        </article>
      </div>
    </div>
  )
}
