import { getLocale } from 'next-intl/server'
import { deskPage } from '@/app/(desk)/desk-page'
import { DocumentScreen } from '@/components/shell/document-text'
import { type DocumentName, readDocument } from '@/server/operations/documents'

export function documentPage(name: DocumentName) {
  return deskPage({
    title: (t) => t(`documents.${name}.title`),
    permission: 'admin',
    path: `/admin/${name}`,
    screen: async ({ viewer }) => {
      const locale = await getLocale()
      const { text, language } = await readDocument(viewer, name, locale)
      return <DocumentScreen name={name} markdown={text} language={language} locale={locale} />
    },
  })
}
