import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { refusedPage } from '@/app/(desk)/refused-page'
import { ActivityScreen } from '@/components/admin/activity-screen'
import { pickAreas } from '@/lib/i18n/load-messages'
import { pageViewer } from '@/server/access/page-viewer'
import { may } from '@/server/access/viewer'
import { services } from '@/server/services'
import { listUsers } from '@/server/users/administration'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('activity')
  return { title: t('title') }
}

export default async function ActivityPage() {
  const viewer = await pageViewer(services())
  if (!may(viewer, 'admin')) return refusedPage(viewer, '/admin/activity')
  const [messages, users] = await Promise.all([getMessages(), listUsers(services(), viewer)])
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'activity', 'reading'])}>
      <ActivityScreen users={users} />
    </NextIntlClientProvider>
  )
}
