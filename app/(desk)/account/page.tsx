import { createSignedInPage } from '@/app/(desk)/desk-page'
import { AccountScreen } from '@/components/account/account-screen'
import { listOwnSessions } from '@/server/access/own-sessions'
import { hasOwnPassword } from '@/server/access/own-password'
import { listOwnFactors } from '@/server/access/second-factors'
import { getServices } from '@/server/base/services'

const { generateMetadata, Page } = createSignedInPage({
  title: (t) => t('account.title'),
  messageAreas: ['account', 'signin', 'palette'],
  screen: async ({ viewer, session }) => {
    const services = getServices()
    const ownData = {
      sessions: await listOwnSessions(services, viewer, {}, { session }),
      factors: (await hasOwnPassword(services, viewer)) ? await listOwnFactors(services, viewer) : null,
    }
    const { name, email, role } = viewer
    return <AccountScreen user={{ name, email, role }} {...ownData} isDemo={services.env.mode === 'demo'} />
  },
})

export { generateMetadata, Page as default }
