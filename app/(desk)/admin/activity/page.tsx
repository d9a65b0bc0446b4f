import type { Metadata } from 'next'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { ActivityScreen } from '@/components/admin/activity-screen'
import { NoAccess } from '@/components/shell/no-access'
import { pickAreas } from '@/lib/i18n/pick-areas'
import { pageViewer } from '@/server/access/viewer'
import { listUsers } from '@/server/users/list-users'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('activity')
  return { title: t('title') }
}

export default async function ActivityPage() {
  const viewer = await pageViewer()
  if (!viewer.permissions.has('admin')) return <NoAccess role={viewer.role} />
  const [messages, users] = await Promise.all([getMessages(), listUsers(viewer)])
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'activity'])}>
      <NuqsAdapter>
        <ActivityScreen users={users} />
      </NuqsAdapter>
    </NextIntlClientProvider>
  )
}
