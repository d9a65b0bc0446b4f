import { deskPage } from '@/app/(desk)/desk-page'
import { UsersScreen } from '@/components/admin/users-screen'
import { services } from '@/server/base/services'
import { listUsers } from '@/server/access/administration'

const { generateMetadata, Page } = deskPage({
  title: (t) => t('adminUsers.title'),
  permission: 'admin',
  path: '/admin/users',
  areas: ['adminUsers', 'mail'],
  screen: async ({ viewer }) => {
    const parts = services()
    const { users } = await listUsers(parts, viewer)
    return <UsersScreen initial={users} canMail={parts.mailer !== null} />
  },
})

export { generateMetadata, Page as default }
