import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { AccountScreen } from '@/components/account/account-screen'
import { pickAreas } from '@/lib/i18n/load-messages'
import { listOwnSessions } from '@/server/access/end-sessions'
import { pageSession } from '@/server/access/page-viewer'
import { services } from '@/server/services'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account')
  return { title: t('title') }
}

export default async function AccountPage() {
  const { viewer, session } = await pageSession(services())
  const [messages, sessions] = await Promise.all([getMessages(), listOwnSessions(services(), viewer, session)])
  const { name, email, role } = viewer
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'account', 'shell'])}>
      <AccountScreen person={{ name, email, role }} sessions={sessions} />
    </NextIntlClientProvider>
  )
}
