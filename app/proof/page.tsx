import { getTranslations } from 'next-intl/server'
import { redirect } from 'next/navigation'
import { createMetadata, type PageProps } from '@/app/(desk)/desk-page'
import { ProofNotifier, SignInLayout } from '@/components/account/sign-in-layout'
import { ClientMessages } from '@/components/app/client-messages'
import { getServices } from '@/server/base/services'
import { findPageViewer } from '@/server/http/page-viewer'

export const generateMetadata = createMetadata({ title: (t) => t('proof.title') })

export default async function ProofPage({ searchParams }: PageProps) {
  if (!(await findPageViewer(getServices()))) redirect('/signin')
  const [t, { error }] = await Promise.all([getTranslations('proof'), searchParams])
  return (
    <ClientMessages areas={['signin', 'shell']}>
      <SignInLayout
        title={t(error === undefined ? 'done' : 'notDone')}
        intro={t(error === undefined ? 'doneLead' : 'notDoneLead')}
      >
        {error === undefined && <ProofNotifier />}
      </SignInLayout>
    </ClientMessages>
  )
}
