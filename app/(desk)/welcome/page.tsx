import { deskPage } from '@/app/(desk)/desk-page'
import { schoolsOrNone } from '@/app/(desk)/while-there'
import { WelcomeScreen } from '@/components/admin/welcome-screen'
import { services } from '@/server/services'
import { getAdmissionCycle } from '@/server/settings/settings'
import { getWorkSettings } from '@/server/settings/work'
import { listUsers } from '@/server/users/administration'

const { generateMetadata, Page } = deskPage({
  title: (t) => t('work.welcome.title'),
  permission: 'admin',
  path: '/welcome',
  areas: ['work'],
  screen: async ({ viewer }) => {
    const [settings, cycle, schools, { users }] = await Promise.all([
      getWorkSettings(services(), viewer),
      getAdmissionCycle(services(), viewer),
      schoolsOrNone(viewer),
      listUsers(services(), viewer),
    ])
    const { upstream } = services().env
    return (
      <WelcomeScreen
        settings={settings}
        cycle={cycle}
        schools={schools}
        host={upstream && new URL(upstream.url).host}
        people={users.filter(({ disabled }) => !disabled).length}
      />
    )
  },
})

export { generateMetadata, Page as default }
