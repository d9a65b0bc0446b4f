import { createDeskPage } from '@/app/(desk)/desk-page'
import { UsersScreen } from '@/components/admin/users-screen'
import { listUsers } from '@/server/access/manage-users'
import { getSignInRules } from '@/server/access/sign-in-rules'
import { getServices } from '@/server/base/services'
import { listProtections } from '@/server/privacy/protections'

const { generateMetadata, Page } = createDeskPage({
  title: (t) => t('adminUsers.title'),
  permission: 'admin',
  path: '/admin/users',
  messageAreas: ['adminUsers', 'mail', 'rights'],
  screen: async ({ viewer }) => {
    const services = getServices()
    const [{ users }, rules, protections] = await Promise.all([
      listUsers(services, viewer),
      getSignInRules(services, viewer),
      listProtections(services, viewer),
    ])
    const canMail = services.mailer !== null
    return <UsersScreen users={users} rules={rules} protections={protections} canMail={canMail} />
  },
})

export { generateMetadata, Page as default }
