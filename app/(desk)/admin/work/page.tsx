import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { refusedPage } from '@/app/(desk)/refused-page'
import { schoolsOrNone } from '@/app/(desk)/schools-or-none'
import { WorkScreen } from '@/components/admin/work-screen'
import { pickAreas } from '@/lib/i18n/load-messages'
import { pageViewer } from '@/server/access/page-viewer'
import { may } from '@/server/access/viewer'
import { services } from '@/server/services'
import { getAdmissionCycle } from '@/server/settings/settings'
import { getWorkSettings } from '@/server/settings/work'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('work')
  return { title: t('title') }
}

export default async function WorkPage() {
  const viewer = await pageViewer(services())
  if (!may(viewer, 'admin')) return refusedPage(viewer, '/admin/work')
  const [messages, first, cycle, schools] = await Promise.all([
    getMessages(),
    getWorkSettings(services(), viewer),
    getAdmissionCycle(services(), viewer),
    schoolsOrNone(viewer),
  ])
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'work'])}>
      <WorkScreen first={first} cycle={cycle} schools={schools} />
    </NextIntlClientProvider>
  )
}
