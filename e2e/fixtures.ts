import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import { type APIRequestContext, type BrowserContext, expect, type Page, test as base } from '@playwright/test'
import type { LeadItem } from '@/lib/api/leads'
import { defaultAdmissionCycle } from '@/lib/contract/settings'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { findDefaultCohort } from '@/lib/interest/cohort'
import { toStockholmDay } from '@/lib/time/stockholm'

export const DEMO = 'http://localhost:3101'
/** Changes need our own origin. */
export const headers = { origin: DEMO }
export const CONNECTED = 'http://localhost:3102'
/** The demo of Firefox and WebKit. */
export const OTHER_BROWSERS = 'http://localhost:3105'

export type Account = { email: string; password: string }
export const ACCOUNTS = {
  staff: { email: 'staff@demo.test', password: 'demo' },
  manager: { email: 'manager@demo.test', password: 'demo' },
  admin: { email: 'admin@demo.test', password: 'demo' },
  /** Of the connected Intag. */
  bootstrapAdmin: { email: 'admin@skola.example', password: 'a-long-first-password' },
}
type Who = keyof typeof ACCOUNTS | Account
const accountOf = (who: Who): Account => (typeof who === 'string' ? ACCOUNTS[who] : who)

/** The demo receives no more leads of this day or before. */
export const yesterday = daysAgo(1.5)

/** In Stockholm. Rows up to a past day keep their places. A file that decides about them uses a day of its own. */
export function daysAgo(days: number): string {
  return toStockholmDay(Date.now() - days * 86_400_000)
}

/** The start year of most of the demo's newest declarations. */
export const nextStart = findDefaultCohort(toStockholmDay(Date.now()), defaultAdmissionCycle)

/** Reports every error screen (`data-broken`) to the console. */
function watchForBroken() {
  const seen = new WeakSet<Element>()
  const look = () => {
    for (const element of document.querySelectorAll('[data-broken]')) {
      if (seen.has(element)) continue
      seen.add(element)
      console.error(`broken on screen: ${element.textContent}`)
    }
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributeFilter: ['data-broken'] })
}

/** Reports a text beside an element that comes and goes: React fails there once the browser has translated the page. */
function watchForBareText() {
  const { removeChild, insertBefore } = Node.prototype
  const report = (text: Node | null) => {
    if (text instanceof Text && text.parentElement !== null)
      console.error(`bare text beside what comes and goes: ${text.data} in ${text.parentElement.outerHTML}`)
  }
  Object.assign(Node.prototype, {
    removeChild(this: Node, child: Node) {
      report(child)
      return removeChild.call(this, child)
    },
    insertBefore(this: Node, node: Node, child: Node | null) {
      report(child)
      return insertBefore.call(this, node, child)
    },
  })
}

/** Every test fails on a console error, an uncaught exception, a CSP violation or an error screen. */
export const test = base.extend<{
  allowError: (expected: RegExp) => void
  as: Who | null
  requestAs: (who: Who) => Promise<APIRequestContext>
  pageAs: (who?: Who) => Promise<Page>
}>({
  /** The signed-in user. */
  as: [null, { option: true }],
  context: async ({ context, as, baseURL }, use) => {
    if (as !== null) await joinAs(context, as, baseURL)
    await use(context)
  },
  /** Another signed-in user, without a page. */
  requestAs: async ({ playwright, baseURL }, use) => {
    const made: APIRequestContext[] = []
    await use(async (who) => {
      const request = await playwright.request.newContext({ baseURL: baseURL ?? DEMO })
      made.push(request)
      await signIn(request, who, baseURL)
      return request
    })
    await Promise.all(made.map((request) => request.dispose()))
  },
  /** Another user in another browser. */
  pageAs: async ({ browser, baseURL }, use) => {
    const made: BrowserContext[] = []
    await use(async (who) => {
      const context = await browser.newContext()
      made.push(context)
      if (who !== undefined) await joinAs(context, who, baseURL)
      return context.newPage()
    })
    await Promise.all(made.map((context) => context.close()))
  },
  /** Called by a test that provokes an error. */
  allowError: [
    async ({ page }, use) => {
      const errors: string[] = []
      const allowed: RegExp[] = []
      await page.addInitScript(watchForBroken)
      await page.addInitScript(watchForBareText)
      page.on('console', (message) => {
        if (message.type() === 'error')
          errors.push([message.text(), message.location().url].filter(Boolean).join(' at '))
      })
      page.on('pageerror', (error) => errors.push(error.message))
      await use((expected) => void allowed.push(expected))
      // Answers still on their way when the test ends do not matter.
      if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      expect(errors.filter((text) => !allowed.some((expected) => expected.test(text)))).toEqual([])
    },
    { auto: true },
  ],
})
export { expect }

/** Signs in next-auth's way; the cookie serves the pages of the context, too. */
export async function signIn(request: APIRequestContext, who: Who, origin = DEMO): Promise<void> {
  const csrf = await request.get(`${origin}/api/auth/csrf`)
  const { csrfToken } = await csrf.json()
  const answer = await request.post(`${origin}/api/auth/callback/credentials`, {
    form: { csrfToken, ...accountOf(who), json: 'true' },
  })
  expect(answer.status(), 'signing in').toBe(200)
}

type SharedSession = { signedInAt: number; cookies: Awaited<ReturnType<BrowserContext['cookies']>> }
const sharedSessions = new Map<string, SharedSession>()
/** Less than the ten minutes after which the server asks for another proof. */
const SHARED_MS = 5 * 60_000

/** Signs in with a session that the tests of a worker share: for tests that do not end it. */
export async function joinAs(context: BrowserContext, who: Who, origin = DEMO): Promise<void> {
  // What an open page still asks for is not asked as another user.
  for (const page of context.pages()) await page.goto('about:blank')
  const name = `${origin} ${accountOf(who).email}`
  const shared = sharedSessions.get(name)
  if (shared !== undefined && Date.now() - shared.signedInAt < SHARED_MS) return context.addCookies(shared.cookies)
  await signIn(context.request, who, origin)
  sharedSessions.set(name, { signedInAt: Date.now(), cookies: await context.cookies(origin) })
}

type NewUser = { origin?: string; role?: 'staff' | 'manager' | 'admin'; schools?: 'all' | string[] }

/** A user of one test alone. `request` is signed in as an administrator afterwards. */
export async function newUser(
  request: APIRequestContext,
  { origin = DEMO, role = 'staff', schools = 'all' }: NewUser = {},
): Promise<Account & { id: string }> {
  await signIn(request, origin === DEMO ? 'admin' : 'bootstrapAdmin', origin)
  const from = { headers: { origin } }
  const email = `eva.${randomUUID()}@skolan.test`
  const data = { email, name: 'Eva Ek', role, schools }
  const { id, inviteUrl } = await (await request.post(`${origin}/api/users`, { ...from, data })).json()
  const password = 'a-long-enough-password'
  const token = inviteUrl.slice(inviteUrl.indexOf('#') + 1)
  const accepted = await request.post(`${origin}/api/invitations`, { ...from, data: { token, password } })
  expect(accepted.status(), 'accepting the invitation').toBe(200)
  return { id, email, password }
}

/** Signs the page in as a user of this test alone. */
export async function joinAsNew(page: Page, settings?: NewUser): Promise<Account & { id: string }> {
  const user = await newUser(page.request, settings)
  await signIn(page.request, user, settings?.origin)
  return user
}

export async function read(request: APIRequestContext, path: string) {
  // The server may close an idle connection just when it is used again.
  const answer = await request.get(path, { maxRetries: 2 })
  expect(answer.status(), path).toBe(200)
  return answer.json()
}

export function pick<Item>(items: readonly Item[], isWanted: (item: Item) => boolean = () => true): Item {
  const found = items.find(isWanted)
  if (found === undefined) throw new Error(`none of ${items.length} is wanted`)
  return found
}

export async function leadNow(
  request: APIRequestContext,
  list: LeadList,
  id: string,
  origin = DEMO,
): Promise<LeadItem> {
  const answer = await read(request, `${origin}/api/${list}?id=${encodeURIComponent(id)}`)
  return pick<LeadItem>(answer[LISTS[list].field])
}

export async function statusOf(request: APIRequestContext, list: LeadList, id: string, origin = DEMO): Promise<string> {
  return (await leadNow(request, list, id, origin)).triage.status
}

export const CHUNKS = '**/_next/static/chunks/**'

/** Requests to this address wait until the returned function is called. */
export async function holdBack(page: Page, address: string | RegExp): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await held.promise
    await route.continue()
  })
  return () => held.resolve()
}

export async function changeAnswers<Answer>(
  page: Page,
  address: string | RegExp,
  change: (answer: Answer) => Answer | void,
): Promise<void> {
  await page.route(address, async (route) => {
    const response = await route.fetch()
    const json: Answer = await response.json()
    await route.fulfill({ response, json: change(json) ?? json })
  })
}

export async function fillSignIn(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('E-post').fill(email)
  await page.getByLabel('Lösenord', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Logga in', exact: true }).click()
}

export async function downloaded(page: Page, press: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

/** A tab that saves data prefetches nothing. */
export async function disablePrefetch(page: Page): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
}

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** A page of Playwright or of another driver, in which functions run. */
export type PageLike = {
  evaluate: <Answer>(inPage: () => Answer | Promise<Answer>) => Promise<Answer>
  waitForFunction: (inPage: () => unknown) => Promise<unknown>
}

export async function expectToFit(page: PageLike): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow, 'nothing sticks out to the side').toBeLessThanOrEqual(0)
}

/** WCAG 2.2 AA by axe. Motion is off: a notice that fades in has no contrast yet. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice', 'experimental'])
    .analyze()
  await page.emulateMedia({ reducedMotion: null })
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual(
    [],
  )
}

export async function expectUsable(page: Page): Promise<void> {
  await expectAccessible(page)
  await expectToFit(page)
}

/** Opens a page and waits until it answers to keys and clicks. */
export async function open(page: PageLike & { goto: (path: string) => Promise<unknown> }, path: string): Promise<void> {
  await page.goto(path)
  await ready(page)
}

/** Waits until React has hydrated the list, or else the first button or link. */
export async function ready(page: PageLike): Promise<void> {
  await page.waitForFunction(() => {
    const element = ['[role=option]', 'main button, main a', 'button']
      .map((selector) => document.querySelector(selector))
      .find((found) => found !== null)
    return element !== undefined && Object.keys(element).some((key) => key.startsWith('__reactProps'))
  })
  // Effects attach the key listeners, and fonts change the layout.
  await page.evaluate(async () => void (await document.fonts.ready))
  await waitUntilIdle(page)
}

/** The browser is idle. WebKit has no idle callback: a timer in time says so. */
export async function waitUntilIdle(page: PageLike): Promise<void> {
  await page.evaluate(async () => {
    if ('requestIdleCallback' in window)
      return new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 5_000 }))
    let began: number
    do {
      began = performance.now()
      await new Promise((resolve) => setTimeout(resolve, 50))
    } while (performance.now() - began > 100)
  })
}
