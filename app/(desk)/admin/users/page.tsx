import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { UsersScreen } from '@/components/admin/users-screen'
import { NoAccess } from '@/components/shell/no-access'
import { pickAreas } from '@/lib/i18n/pick-areas'
import { pageViewer } from '@/server/access/viewer'
import { listUsers } from '@/server/users/list-users'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('adminUsers')
  return { title: t('title') }
}

export default async function UsersPage() {
  const viewer = await pageViewer()
  if (!viewer.permissions.has('admin')) return <NoAccess role={viewer.role} />
  const [messages, users] = await Promise.all([getMessages(), listUsers(viewer)])
  const areas = pickAreas(messages, ['common', 'lead', 'adminUsers'])
  return (
    <NextIntlClientProvider messages={areas}>
      <UsersScreen first={users} />
    </NextIntlClientProvider>
  )
}
