import { getTranslations } from 'next-intl/server'
import { redirect } from 'next/navigation'
import { createMetadata } from '@/app/(desk)/desk-page'
import { AuthLayout } from '@/components/account/auth-layout'
import { EnrolFactorScreen } from '@/components/account/enrol-factor-screen'
import { ClientMessages } from '@/components/app/client-messages'
import { listOwnFactors } from '@/server/access/second-factors'
import { getServices } from '@/server/base/services'
import { findPageSession } from '@/server/http/page-session'

export const generateMetadata = createMetadata({ title: (t) => t('account.enrol.title') })

export default async function SecondFactorPage() {
  const session = await findPageSession(getServices())
  if (!session) redirect('/signin')
  const { viewer } = session
  if (!viewer.mustEnrol) redirect('/')
  const [t, factors] = await Promise.all([getTranslations('account.enrol'), listOwnFactors(getServices(), viewer)])
  return (
    <ClientMessages areas={['account', 'shell', 'signin', 'trouble']}>
      <AuthLayout title={t('title')} intro={t('intro')}>
        <EnrolFactorScreen initialFactors={factors} />
      </AuthLayout>
    </ClientMessages>
  )
}
