import { deskPage } from '@/app/(desk)/desk-page'
import { UsersScreen } from '@/components/admin/users-screen'
import { services } from '@/server/base/services'
import { listUsers } from '@/server/access/administration'
import { getSignInRules } from '@/server/access/sign-in-rules'
import { listProtections } from '@/server/privacy/protect'

const { generateMetadata, Page } = deskPage({
  title: (t) => t('adminUsers.title'),
  permission: 'admin',
  path: '/admin/users',
  areas: ['adminUsers', 'mail', 'rights'],
  screen: async ({ viewer }) => {
    const parts = services()
    const [{ users }, rules, protections] = await Promise.all([
      listUsers(parts, viewer),
      getSignInRules(parts, viewer),
      listProtections(parts, viewer),
    ])
    return <UsersScreen {...{ users, rules, protections }} canMail={parts.mailer !== null} />
  },
})

export { generateMetadata, Page as default }
