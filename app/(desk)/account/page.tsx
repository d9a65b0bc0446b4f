import { openPage } from '@/app/(desk)/desk-page'
import { AccountScreen } from '@/components/account/account-screen'
import { listOwnSessions } from '@/server/access/sessions'
import { hasOwnPassword } from '@/server/access/passwords'
import { listOwnFactors } from '@/server/access/second-factors'
import { services } from '@/server/base/services'

const { generateMetadata, Page } = openPage({
  title: (t) => t('account.title'),
  areas: ['account', 'signin', 'palette'],
  screen: async ({ viewer, session }) => {
    const parts = services()
    const own = {
      sessions: await listOwnSessions(parts, viewer, {}, { session }),
      factors: (await hasOwnPassword(parts, viewer)) ? await listOwnFactors(parts, viewer) : null,
    }
    const { name, email, role } = viewer
    return <AccountScreen user={{ name, email, role }} {...own} isDemo={parts.env.mode === 'demo'} />
  },
})

export { generateMetadata, Page as default }
