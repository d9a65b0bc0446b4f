import type { Metadata } from 'next'
import { getLocale, getTranslations } from 'next-intl/server'
import { refusedPage } from '@/app/(desk)/refused-page'
import { DocumentScreen } from '@/components/documents/document-screen'
import { pageViewer } from '@/server/access/page-viewer'
import { may } from '@/server/access/viewer'
import { type DocumentName, readDocument } from '@/server/operations/documents'
import { services } from '@/server/services'

/** The page of either document. */
export async function DocumentPage({ name }: { name: DocumentName }) {
  const viewer = await pageViewer(services())
  if (!may(viewer, 'admin')) return refusedPage(viewer, `/admin/${name}`)
  const locale = await getLocale()
  const { text, language } = await readDocument(viewer, name, locale)
  return <DocumentScreen name={name} markdown={text} language={language} locale={locale} />
}

export async function documentMetadata(name: DocumentName): Promise<Metadata> {
  const t = await getTranslations('documents')
  return { title: t(`${name}.title`) }
}
