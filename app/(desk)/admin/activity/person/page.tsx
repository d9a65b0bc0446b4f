import { deskPage } from '@/app/(desk)/desk-page'
import { PersonScreen } from '@/components/reading/person-screen'
import { stockholmDay } from '@/lib/time/stockholm'
import { services } from '@/server/services'
import { getReadingLimits } from '@/server/settings/settings'
import { listUsers } from '@/server/users/administration'

const { generateMetadata, Page } = deskPage({
  title: (t) => t('reading.person.title'),
  permission: 'admin',
  path: '/admin/activity/person',
  areas: ['activity'],
  screen: async ({ viewer }) => {
    const [{ users }, limits] = await Promise.all([listUsers(services(), viewer), getReadingLimits(services(), viewer)])
    return <PersonScreen users={users} limits={limits} today={stockholmDay(services().now())} />
  },
})

export { generateMetadata, Page as default }
