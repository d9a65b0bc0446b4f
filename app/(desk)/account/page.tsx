import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { whileThere } from '@/app/(desk)/while-there'
import { AccountScreen } from '@/components/account/account-screen'
import { DatabaseAway } from '@/components/shell/database-away'
import { pickAreas } from '@/lib/i18n/load-messages'
import { listOwnSessions } from '@/server/access/end-sessions'
import { listOwnFactors } from '@/server/access/enrol-factors'
import { hasOwnPassword } from '@/server/access/own-password'
import { pageSession } from '@/server/access/page-viewer'
import { digestChoice } from '@/server/desk/digest'
import { services } from '@/server/services'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account')
  return { title: t('title') }
}

export default async function AccountPage() {
  const { viewer, session } = await pageSession(services())
  const parts = services()
  const [messages, own] = await Promise.all([
    getMessages(),
    whileThere(async () => {
      const [sessions, hasPassword] = [
        await listOwnSessions(parts, viewer, session),
        await hasOwnPassword(parts, viewer),
      ]
      const factors = hasPassword ? await listOwnFactors(parts, viewer) : null
      return { sessions, factors, digest: await digestChoice(parts, viewer) }
    }),
  ])
  if (own === null) return <DatabaseAway />
  const { name, email, role } = viewer
  return (
    <NextIntlClientProvider
      messages={pickAreas(messages, ['common', 'errors', 'account', 'shell', 'signin', 'lead', 'mail', 'trouble'])}
    >
      <AccountScreen person={{ name, email, role }} {...own} isDemo={parts.env.mode === 'demo'} />
    </NextIntlClientProvider>
  )
}
