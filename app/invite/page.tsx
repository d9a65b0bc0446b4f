import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { Entrance } from '@/components/signin/entrance'
import { InviteForm } from '@/components/signin/invite-form'
import { pickAreas } from '@/lib/i18n/load-messages'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const [t, { reset }] = await Promise.all([getTranslations('signin.invite'), searchParams])
  return { title: t(reset === undefined ? 'title' : 'resetTitle') }
}

export default async function InvitePage({ searchParams }: Props) {
  const [t, messages, { reset }] = await Promise.all([getTranslations('signin.invite'), getMessages(), searchParams])
  const isReset = reset !== undefined
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'signin', 'shell'])}>
      <Entrance title={t(isReset ? 'resetTitle' : 'title')} lead={t(isReset ? 'resetBody' : 'body')}>
        <InviteForm />
      </Entrance>
    </NextIntlClientProvider>
  )
}
