import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { refusedPage } from '@/app/(desk)/refused-page'
import { StatusScreen } from '@/components/admin/status-screen'
import { pickAreas } from '@/lib/i18n/load-messages'
import { pageViewer } from '@/server/access/page-viewer'
import { may } from '@/server/access/viewer'
import { feedReport } from '@/server/operations/status'
import { services } from '@/server/services'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('admin.status')
  return { title: t('title') }
}

/** The words of administration are sent to administrators only. */
export default async function StatusPage() {
  const viewer = await pageViewer(services())
  if (!may(viewer, 'admin')) return refusedPage(viewer, '/admin/status')
  const messages = await getMessages()
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['admin', 'mail'])}>
      <StatusScreen first={feedReport(services(), viewer)} email={viewer.email} />
    </NextIntlClientProvider>
  )
}
