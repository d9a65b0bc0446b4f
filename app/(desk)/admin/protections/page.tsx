import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { refusedPage } from '@/app/(desk)/refused-page'
import { ProtectionsScreen } from '@/components/admin/protections-screen'
import { pickAreas } from '@/lib/i18n/load-messages'
import { pageViewer } from '@/server/access/page-viewer'
import { may } from '@/server/access/viewer'
import { listProtections } from '@/server/rights/list-protections'
import { services } from '@/server/services'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('rights.list')
  return { title: t('title') }
}

export default async function ProtectionsPage() {
  const viewer = await pageViewer(services())
  if (!may(viewer, 'admin')) return refusedPage(viewer, '/admin/protections')
  const [messages, first] = await Promise.all([getMessages(), listProtections(services(), viewer)])
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'rights'])}>
      <ProtectionsScreen first={first} />
    </NextIntlClientProvider>
  )
}
