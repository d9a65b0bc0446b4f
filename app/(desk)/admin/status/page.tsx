import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { StatusScreen } from '@/components/admin/status-screen'
import { NoAccess } from '@/components/shell/no-access'
import { pickAreas } from '@/lib/i18n/pick-areas'
import { pageViewer } from '@/server/access/viewer'
import { feedReport } from '@/server/status/feed-report'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('admin.status')
  return { title: t('title') }
}

/** The words of administration are sent to administrators only. */
export default async function StatusPage() {
  const viewer = await pageViewer()
  if (!viewer.permissions.has('admin')) return <NoAccess role={viewer.role} />
  const [messages, report] = await Promise.all([getMessages(), feedReport(viewer)])
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['admin'])}>
      <StatusScreen first={report} />
    </NextIntlClientProvider>
  )
}
