import { deskPage } from '@/app/(desk)/desk-page'
import { ProtectionsScreen } from '@/components/admin/protections-screen'
import { listProtections } from '@/server/rights/protect'
import { services } from '@/server/services'

const page = deskPage({
  title: (t) => t('rights.list.title'),
  permission: 'admin',
  path: '/admin/protections',
  areas: ['rights'],
  screen: async ({ viewer }) => <ProtectionsScreen initial={await listProtections(services(), viewer)} />,
})

export const generateMetadata = page.metadata
export default page.Page
