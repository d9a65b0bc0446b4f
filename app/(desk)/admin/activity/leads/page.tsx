import { deskPage } from '@/app/(desk)/desk-page'
import { LeadsScreen } from '@/components/reading/leads-screen'
import { services } from '@/server/services'
import { listUsers } from '@/server/users/administration'

const { generateMetadata, Page } = deskPage({
  title: (t) => t('reading.leads.title'),
  permission: 'admin',
  path: '/admin/activity/leads',
  areas: ['activity'],
  screen: async ({ viewer }) => <LeadsScreen users={(await listUsers(services(), viewer)).users} />,
})

export { generateMetadata, Page as default }
