import type { Metadata } from 'next'
import { getLocale, getTranslations } from 'next-intl/server'
import { HelpScreen } from '@/components/documents/help-screen'
import { pageViewer } from '@/server/access/page-viewer'
import { readHelp } from '@/server/operations/documents'
import { services } from '@/server/services'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('documents.help')
  return { title: t('title') }
}

export default async function HelpPage() {
  const viewer = await pageViewer(services())
  const locale = await getLocale()
  return <HelpScreen markdown={await readHelp(viewer, locale)} locale={locale} />
}
