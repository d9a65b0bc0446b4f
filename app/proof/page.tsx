import { getTranslations } from 'next-intl/server'
import { redirect } from 'next/navigation'
import { createMetadata, type PageProps } from '@/app/(desk)/desk-page'
import { ClientMessages } from '@/components/app/client-messages'
import { ProofNotifier } from '@/components/account/reauthentication'
import { AuthLayout } from '@/components/account/auth-layout'
import { findPageViewer } from '@/server/http/page-viewer'
import { getServices } from '@/server/base/services'

export const generateMetadata = createMetadata({ title: (t) => t('proof.title') })

export default async function ProofPage({ searchParams }: PageProps) {
  if (!(await findPageViewer(getServices()))) redirect('/signin')
  const [t, { error }] = await Promise.all([getTranslations('proof'), searchParams])
  return (
    <ClientMessages areas={['signin', 'shell']}>
      <AuthLayout
        title={t(error === undefined ? 'done' : 'notDone')}
        intro={t(error === undefined ? 'doneLead' : 'notDoneLead')}
      >
        {error === undefined && <ProofNotifier />}
      </AuthLayout>
    </ClientMessages>
  )
}
