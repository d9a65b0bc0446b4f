import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { refusedPage } from '@/app/(desk)/refused-page'
import { schoolsOrNone } from '@/app/(desk)/schools-or-none'
import { WelcomeScreen } from '@/components/admin/welcome-screen'
import { pickAreas } from '@/lib/i18n/load-messages'
import { pageViewer } from '@/server/access/page-viewer'
import { may } from '@/server/access/viewer'
import { env } from '@/server/env'
import { services } from '@/server/services'
import { getAdmissionCycle } from '@/server/settings/settings'
import { getWorkSettings } from '@/server/settings/work'
import { listUsers } from '@/server/users/administration'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('work.welcome')
  return { title: t('title') }
}

export default async function WelcomePage() {
  const viewer = await pageViewer(services())
  if (!may(viewer, 'admin')) return refusedPage(viewer, '/welcome')
  const [messages, settings, cycle, schools, users] = await Promise.all([
    getMessages(),
    getWorkSettings(services(), viewer),
    getAdmissionCycle(services(), viewer),
    schoolsOrNone(viewer),
    listUsers(services(), viewer),
  ])
  const { upstream } = env()
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'status', 'work'])}>
      <WelcomeScreen
        settings={settings}
        cycle={cycle}
        schools={schools}
        host={upstream && new URL(upstream.url).host}
        people={users.filter(({ disabled }) => !disabled).length}
      />
    </NextIntlClientProvider>
  )
}
