import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { ClientMessages } from '@/components/desk/client-messages'
import { InviteScreen } from '@/components/signin/invite-form'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const [t, { reset }] = await Promise.all([getTranslations('signin.invite'), searchParams])
  return { title: t(reset === undefined ? 'title' : 'resetTitle') }
}

export default async function InvitePage({ searchParams }: Props) {
  const { reset } = await searchParams
  return (
    <ClientMessages areas={['signin', 'shell']}>
      <InviteScreen isReset={reset !== undefined} />
    </ClientMessages>
  )
}
