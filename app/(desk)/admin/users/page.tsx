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
  areas: ['adminUsers', 'mail', 'rights'],
  screen: async ({ viewer }) => {
    const services = getServices()
    const [{ users }, rules, protections] = await Promise.all([
      listUsers(services, viewer),
      getSignInRules(services, viewer),
      listProtections(services, viewer),
    ])
    return <UsersScreen {...{ users, rules, protections }} canMail={services.mailer !== null} />
  },
})

export { generateMetadata, Page as default }
