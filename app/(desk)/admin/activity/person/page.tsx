import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { refusedPage } from '@/app/(desk)/refused-page'
import { PersonScreen } from '@/components/reading/person-screen'
import { pickAreas } from '@/lib/i18n/load-messages'
import { stockholmDay } from '@/lib/time/stockholm'
import { pageViewer } from '@/server/access/page-viewer'
import { may } from '@/server/access/viewer'
import { services } from '@/server/services'
import { getReadingLimits } from '@/server/settings/reading-limits'
import { listUsers } from '@/server/users/administration'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('reading.person')
  return { title: t('title') }
}

export default async function FollowPersonPage() {
  const parts = services()
  const viewer = await pageViewer(parts)
  if (!may(viewer, 'admin')) return refusedPage(viewer, '/admin/activity/person')
  const [messages, users, limits] = await Promise.all([
    getMessages(),
    listUsers(parts, viewer),
    getReadingLimits(parts, viewer),
  ])
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'activity', 'reading'])}>
      <PersonScreen users={users} limits={limits} today={stockholmDay(parts.now())} />
    </NextIntlClientProvider>
  )
}
