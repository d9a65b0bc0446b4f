import { createDeskPage } from '@/app/(desk)/desk-page'
import { OverviewScreen } from '@/components/admin/overview-screen'
import { getServices } from '@/server/base/services'
import { listFindings } from '@/server/run/findings'

const { generateMetadata, Page } = createDeskPage({
  title: (t) => t('admin.overview.title'),
  permission: 'admin',
  path: '/admin',
  messageAreas: ['admin'],
  screen: async ({ viewer }) => <OverviewScreen findings={await listFindings(getServices(), viewer)} />,
})

export { generateMetadata, Page as default }
