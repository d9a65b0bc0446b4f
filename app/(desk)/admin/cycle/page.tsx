import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { refusedPage } from '@/app/(desk)/refused-page'
import { CycleScreen } from '@/components/admin/cycle-screen'
import { defaultAdmissionCycle } from '@/lib/contract/admission-cycle'
import { pickAreas } from '@/lib/i18n/load-messages'
import { pageViewer } from '@/server/access/page-viewer'
import { may } from '@/server/access/viewer'
import { services } from '@/server/services'
import { getAdmissionCycle } from '@/server/settings/settings'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('interest.cycle')
  return { title: t('title') }
}

export default async function CyclePage() {
  const viewer = await pageViewer(services())
  if (!may(viewer, 'admin')) return refusedPage(viewer, '/admin/cycle')
  const [messages, saved] = await Promise.all([getMessages(), getAdmissionCycle(services(), viewer)])
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'interest'])}>
      <CycleScreen saved={saved} usual={defaultAdmissionCycle} />
    </NextIntlClientProvider>
  )
}
