import { deskPage } from '@/app/(desk)/desk-page'
import { ActivityScreen } from '@/components/admin/activity-screen'
import { services } from '@/server/base/services'
import { listUsers } from '@/server/access/administration'

const { generateMetadata, Page } = deskPage({
  title: (t) => t('activity.title'),
  permission: 'admin',
  path: '/admin/activity',
  areas: ['activity', 'export'],
  screen: async ({ viewer }) => <ActivityScreen users={(await listUsers(services(), viewer)).users} />,
})

export { generateMetadata, Page as default }
