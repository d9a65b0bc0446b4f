import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { Entrance } from '@/components/signin/entrance'
import { InviteForm } from '@/components/signin/invite-form'
import { pickAreas } from '@/lib/i18n/load-messages'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('signin.invite')
  return { title: t('title') }
}

export default async function InvitePage() {
  const [t, messages] = await Promise.all([getTranslations('signin.invite'), getMessages()])
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'signin', 'shell'])}>
      <Entrance title={t('title')} lead={t('body')}>
        <InviteForm />
      </Entrance>
    </NextIntlClientProvider>
  )
}
