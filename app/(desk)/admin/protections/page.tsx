import { deskPage } from '@/app/(desk)/desk-page'
import { ProtectionsScreen } from '@/components/admin/protections-screen'
import { listProtections } from '@/server/privacy/protect'
import { services } from '@/server/base/services'

const { generateMetadata, Page } = deskPage({
  title: (t) => t('rights.list.title'),
  permission: 'admin',
  path: '/admin/protections',
  areas: ['rights'],
  screen: async ({ viewer }) => <ProtectionsScreen initial={await listProtections(services(), viewer)} />,
})

export { generateMetadata, Page as default }
