import { deskPage } from '@/app/(desk)/desk-page'
import { StatusScreen } from '@/components/admin/status-screen'
import { serviceReport } from '@/server/run/status'
import { services } from '@/server/base/services'

const { generateMetadata, Page } = deskPage({
  title: (t) => t('admin.status.title'),
  permission: 'admin',
  path: '/admin/status',
  areas: ['admin', 'mail'],
  screen: async ({ viewer }) => <StatusScreen report={await serviceReport(services(), viewer)} email={viewer.email} />,
})

export { generateMetadata, Page as default }
