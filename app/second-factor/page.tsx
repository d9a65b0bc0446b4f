import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { EnrolScreen } from '@/components/account/enrol-screen'
import { Entrance } from '@/components/signin/entrance'
import { pickAreas } from '@/lib/i18n/load-messages'
import { listOwnFactors } from '@/server/access/enrol-factors'
import { enrollingViewer } from '@/server/access/page-viewer'
import { services } from '@/server/services'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.enrol')
  return { title: t('title') }
}

/** The only page for whoever must get a second factor before anything else. */
export default async function SecondFactorPage() {
  const viewer = await enrollingViewer(services())
  const [t, messages, factors] = await Promise.all([
    getTranslations('account.enrol'),
    getMessages(),
    listOwnFactors(services(), viewer),
  ])
  return (
    <NextIntlClientProvider
      messages={pickAreas(messages, ['common', 'errors', 'account', 'shell', 'signin', 'lead', 'trouble'])}
    >
      <Entrance title={t('title')} lead={t('lead')}>
        <EnrolScreen first={factors} />
      </Entrance>
    </NextIntlClientProvider>
  )
}
