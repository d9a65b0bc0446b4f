import { test as base } from '../fixtures'
import { hasFirefox, isMissing } from './engines'
import { mainWays } from './main-ways'
import type { Tab } from './tab'

type Session = { send: (method: string, given: object) => Promise<object> }
type Inside = { _connection: { toImpl: (browser: object) => { _browserSession: Session } } }

/** Playwright sets the media features of every context, which Firefox ESR 153 does not know over WebDriver BiDi. */
function answerForFirefox(playwright: object, browser: object): void {
  // oxlint-disable-next-line no-underscore-dangle -- Playwright's own names: there is no other way to answer in its place
  const session = (playwright as Inside)._connection.toImpl(browser)._browserSession
  const send = session.send.bind(session)
  session.send = async (method, given) => (method === 'emulation.setMediaFeaturesOverride' ? {} : send(method, given))
}

const test = base.extend<{ tab: Tab }, { answered: void }>({
  answered: [
    async ({ playwright, browser }, use) => {
      answerForFirefox(playwright, browser)
      await use()
    },
    { scope: 'worker', auto: true },
  ],
  tab: ({ page }, use) => use(page),
})

test.skip(isMissing(hasFirefox, 'firefox-esr'), 'Firefox is not installed')
// A font on its way when the page is left: NS_BINDING_ABORTED.
test.beforeEach(({ allowError }) => allowError(/^download failed .*status=2152398850/))

mainWays(test, 'firefox')
