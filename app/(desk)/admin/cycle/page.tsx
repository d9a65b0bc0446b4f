import { deskPage } from '@/app/(desk)/desk-page'
import { CycleScreen } from '@/components/admin/cycle-screen'
import { defaultAdmissionCycle } from '@/lib/contract/settings'
import { services } from '@/server/services'
import { getAdmissionCycle } from '@/server/settings/settings'

const { generateMetadata, Page } = deskPage({
  title: (t) => t('interest.cycle.title'),
  permission: 'admin',
  path: '/admin/cycle',
  areas: ['interest'],
  screen: async ({ viewer }) => (
    <CycleScreen saved={await getAdmissionCycle(services(), viewer)} usual={defaultAdmissionCycle} />
  ),
})

export { generateMetadata, Page as default }
