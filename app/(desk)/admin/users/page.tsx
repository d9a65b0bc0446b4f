import { deskPage } from '@/app/(desk)/desk-page'
import { UsersScreen } from '@/components/admin/users-screen'
import { services } from '@/server/services'
import { listUsers } from '@/server/users/administration'

const page = deskPage({
  title: (t) => t('adminUsers.title'),
  permission: 'admin',
  path: '/admin/users',
  areas: ['adminUsers'],
  screen: async ({ viewer }) => <UsersScreen initial={(await listUsers(services(), viewer)).users} />,
})

export const generateMetadata = page.metadata
export default page.Page
