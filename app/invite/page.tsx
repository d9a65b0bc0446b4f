import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import type { PageProps } from '@/app/(desk)/desk-page'
import { InviteScreen } from '@/components/account/invite-screen'
import { ClientMessages } from '@/components/app/client-messages'

export async function generateMetadata({ searchParams }: PageProps): Promise<Metadata> {
  const [t, { reset }] = await Promise.all([getTranslations('signin.invite'), searchParams])
  return { title: t(reset === undefined ? 'title' : 'resetTitle') }
}

export default async function InvitePage({ searchParams }: PageProps) {
  const { reset } = await searchParams
  return (
    <ClientMessages areas={['signin', 'shell']}>
      <InviteScreen isReset={reset !== undefined} />
    </ClientMessages>
  )
}
