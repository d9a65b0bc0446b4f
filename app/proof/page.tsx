import { getTranslations } from 'next-intl/server'
import { redirect } from 'next/navigation'
import { createMetadata, type PageProps } from '@/app/(desk)/desk-page'
import { AuthLayout } from '@/components/account/auth-layout'
import { ProofNotifier } from '@/components/account/reauthentication'
import { ClientMessages } from '@/components/app/client-messages'
import { getServices } from '@/server/base/services'
import { findPageSession } from '@/server/http/page-session'

export const generateMetadata = createMetadata({ title: (t) => t('proof.title') })

export default async function ProofPage({ searchParams }: PageProps) {
  if (!(await findPageSession(getServices()))) redirect('/signin')
  const t = await getTranslations('proof')
  const isDone = (await searchParams).error === undefined
  return (
    <ClientMessages areas={['signin', 'shell']}>
      <AuthLayout title={t(isDone ? 'done' : 'notDone')} intro={t(isDone ? 'doneLead' : 'notDoneLead')}>
        {isDone && <ProofNotifier />}
      </AuthLayout>
    </ClientMessages>
  )
}
