import { getTranslations } from 'next-intl/server'
import { redirect } from 'next/navigation'
import { metadataOf } from '@/app/(desk)/desk-page'
import { EnrolScreen } from '@/components/account/second-factors-section'
import { ClientMessages } from '@/components/app/client-messages'
import { Entrance } from '@/components/account/entrance'
import { listOwnFactors } from '@/server/access/second-factors'
import { currentViewer } from '@/server/http/page-viewer'
import { services } from '@/server/base/services'

export const generateMetadata = metadataOf({ title: (t) => t('account.enrol.title') })

export default async function SecondFactorPage() {
  const viewer = await currentViewer(services())
  if (!viewer) redirect('/signin')
  if (!viewer.mustEnrol) redirect('/')
  const [t, factors] = await Promise.all([getTranslations('account.enrol'), listOwnFactors(services(), viewer)])
  return (
    <ClientMessages areas={['account', 'shell', 'signin', 'trouble']}>
      <Entrance title={t('title')} lead={t('lead')}>
        <EnrolScreen initial={factors} />
      </Entrance>
    </ClientMessages>
  )
}
