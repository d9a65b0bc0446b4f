import { createDeskPage } from '@/app/(desk)/desk-page'
import { ActivityScreen } from '@/components/admin/activity-screen'
import { listUsers } from '@/server/access/manage-users'
import { getServices } from '@/server/base/services'

const { generateMetadata, Page } = createDeskPage({
  title: (t) => t('activity.title'),
  permission: 'admin',
  path: '/admin/activity',
  messageAreas: ['activity', 'export'],
  screen: async ({ viewer }) => <ActivityScreen users={(await listUsers(getServices(), viewer)).users} />,
})

export { generateMetadata, Page as default }
