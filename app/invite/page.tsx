import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { InviteScreen } from '@/components/signin/invite-form'
import { pickAreas } from '@/lib/i18n/load-messages'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const [t, { reset }] = await Promise.all([getTranslations('signin.invite'), searchParams])
  return { title: t(reset === undefined ? 'title' : 'resetTitle') }
}

export default async function InvitePage({ searchParams }: Props) {
  const [messages, { reset }] = await Promise.all([getMessages(), searchParams])
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'signin', 'shell'])}>
      <InviteScreen isReset={reset !== undefined} />
    </NextIntlClientProvider>
  )
}
