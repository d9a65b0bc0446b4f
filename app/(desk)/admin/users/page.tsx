import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { refusedPage } from '@/app/(desk)/refused-page'
import { UsersScreen } from '@/components/admin/users-screen'
import { pickAreas } from '@/lib/i18n/load-messages'
import { pageViewer } from '@/server/access/page-viewer'
import { may } from '@/server/access/viewer'
import { services } from '@/server/services'
import { listUsers } from '@/server/users/administration'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('adminUsers')
  return { title: t('title') }
}

export default async function UsersPage() {
  const viewer = await pageViewer(services())
  if (!may(viewer, 'admin')) return refusedPage(viewer, '/admin/users')
  const [messages, users] = await Promise.all([getMessages(), listUsers(services(), viewer)])
  const areas = pickAreas(messages, ['common', 'lead', 'adminUsers'])
  return (
    <NextIntlClientProvider messages={areas}>
      <UsersScreen first={users} />
    </NextIntlClientProvider>
  )
}
