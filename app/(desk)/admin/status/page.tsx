import { createDeskPage } from '@/app/(desk)/desk-page'
import { StatusScreen } from '@/components/admin/status-screen'
import { getServices } from '@/server/base/services'
import { readServiceReport } from '@/server/run/service-report'

const { generateMetadata, Page } = createDeskPage({
  title: (t) => t('admin.status.title'),
  permission: 'admin',
  path: '/admin/status',
  messageAreas: ['admin', 'mail'],
  screen: async ({ viewer }) => (
    <StatusScreen report={await readServiceReport(getServices(), viewer)} email={viewer.email} />
  ),
})

export { generateMetadata, Page as default }
