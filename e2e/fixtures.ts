import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import { type APIRequestContext, type BrowserContext, expect, type Page, test as base } from '@playwright/test'
import type { LeadItem } from '@/lib/api/leads'
import { defaultAdmissionCycle } from '@/lib/contract/settings'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { defaultCohort } from '@/lib/interest/cohort'
import { stockholmDay } from '@/lib/time/stockholm'

export const DEMO = 'http://localhost:3101'
export const CONNECTED = 'http://localhost:3102'
/** A demo for Firefox and WebKit, who decide and export as the same people. */
export const OTHER_BROWSERS = 'http://localhost:3105'

export type Account = { email: string; password: string }
export const staff: Account = { email: 'staff@demo.test', password: 'demo' }
export const manager: Account = { email: 'manager@demo.test', password: 'demo' }
export const admin: Account = { email: 'admin@demo.test', password: 'demo' }
export const bootstrapAdmin: Account = { email: 'admin@skola.example', password: 'a-long-first-password' }

/** A day that is over: the demo goes on receiving leads, but none of this day or before. */
export const yesterday = daysAgo(1.5)

/** A list up to a day has its rows where they are; what decides about them takes a day that no other file takes. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

/** The year of the admission that most of the demo's newest declarations are for. */
export const nextStart = defaultCohort(stockholmDay(Date.now()), defaultAdmissionCycle)

/** Notes every error screen, and every part of one, that comes up in place of what broke (`data-broken`). */
export function watchForBroken() {
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

/** Every test fails on a console error, an uncaught exception, a violated Content-Security-Policy or an error screen. */
export const test = base.extend<{
  quietConsole: void
  allowedError: RegExp | null
  as: Account | null
  someone: (account: Account) => Promise<APIRequestContext>
  desk: (account?: Account) => Promise<Page>
}>({
  allowedError: [null, { option: true }],
  /** Who is signed in already. */
  as: [null, { option: true }],
  context: async ({ context, as, baseURL }, use) => {
    if (as !== null) await comeIn(context, as, baseURL)
    await use(context)
  },
  /** Somebody else who is signed in, without a page. */
  someone: async ({ playwright, baseURL }, use) => {
    const made: APIRequestContext[] = []
    await use(async (account) => {
      const request = await playwright.request.newContext({ baseURL: baseURL ?? DEMO })
      made.push(request)
      await signIn(request, account, baseURL)
      return request
    })
    await Promise.all(made.map((request) => request.dispose()))
  },
  /** Somebody else in a browser of their own. */
  desk: async ({ browser, baseURL }, use) => {
    const made: BrowserContext[] = []
    await use(async (account) => {
      const context = await browser.newContext()
      made.push(context)
      if (account !== undefined) await comeIn(context, account, baseURL)
      return context.newPage()
    })
    await Promise.all(made.map((context) => context.close()))
  },
  quietConsole: [
    async ({ page, allowedError }, use) => {
      const errors: string[] = []
      const note = (text: string) => allowedError?.test(text) || errors.push(text)
      await page.addInitScript(watchForBroken)
      page.on('console', (message) => {
        if (message.type() === 'error') note([message.text(), message.location().url].filter(Boolean).join(' at '))
      })
      page.on('pageerror', (error) => note(error.message))
      await use()
      // An answer that is still on its way when the test has ended is nobody's any more.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      expect(errors).toEqual([])
    },
    { auto: true },
  ],
})
export { expect }

/** Signs in as a script does, next-auth's own way; the cookie then serves the page of the same context too. */
export async function signIn(request: APIRequestContext, account: Account, origin = DEMO): Promise<void> {
  const csrf = await request.get(`${origin}/api/auth/csrf`)
  const { csrfToken } = await csrf.json()
  const answer = await request.post(`${origin}/api/auth/callback/credentials`, {
    form: { csrfToken, ...account, json: 'true' },
  })
  expect(answer.status(), 'signing in').toBe(200)
}

type Known = { at: number; cookies: Awaited<ReturnType<BrowserContext['cookies']>> }
const known = new Map<string, Known>()
/** Well before the server asks who signed in ten minutes ago for another proof. */
const SHARED_MS = 5 * 60_000

/** Signs in a page and its requests with a session that the tests of a worker share: for tests that do not end it. */
export async function comeIn(context: BrowserContext, account: Account, origin = DEMO): Promise<void> {
  const name = `${origin} ${account.email}`
  const before = known.get(name)
  if (before !== undefined && Date.now() - before.at < SHARED_MS) return context.addCookies(before.cookies)
  await signIn(context.request, account, origin)
  known.set(name, { at: Date.now(), cookies: await context.cookies(origin) })
}

type NewPerson = { origin?: string; role?: 'staff' | 'manager' | 'admin'; schools?: 'all' | string[] }

/** Somebody whom no other test uses: an administrator, as whom `request` is signed in then, invites them, and they come. */
export async function newPerson(
  request: APIRequestContext,
  { origin = DEMO, role = 'staff', schools = 'all' }: NewPerson = {},
): Promise<Account & { id: string }> {
  await signIn(request, origin === DEMO ? admin : bootstrapAdmin, origin)
  const headers = { origin }
  const email = `eva.${randomUUID()}@skolan.test`
  const data = { email, name: 'Eva Ek', role, schools }
  const { id, inviteUrl } = await (await request.post(`${origin}/api/users`, { headers, data })).json()
  const password = 'a-long-enough-password'
  const token = inviteUrl.slice(inviteUrl.indexOf('#') + 1)
  const accepted = await request.post(`${origin}/api/invitations`, { headers, data: { token, password } })
  expect(accepted.status(), 'accepting the invitation').toBe(200)
  return { id, email, password }
}

/** The cookies of who is signed in, as a header for what reads a stream by itself. */
export async function cookieHeader(request: APIRequestContext): Promise<string> {
  const { cookies } = await request.storageState()
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

/** What the server answers. */
export async function read(request: APIRequestContext, path: string) {
  // A connection that lay idle may be closed by the server just when it is used again, as HTTP has it.
  const answer = await request.get(path, { maxRetries: 2 })
  expect(answer.status(), path).toBe(200)
  return answer.json()
}

/** The first of some leads that is wanted. */
export function pick<Item>(items: readonly Item[], isWanted: (item: Item) => boolean = () => true): Item {
  const found = items.find(isWanted)
  if (found === undefined) throw new Error(`none of ${items.length} is wanted`)
  return found
}

/** A lead as the server has it now. */
export async function leadNow(
  request: APIRequestContext,
  list: LeadList,
  id: string,
  origin = DEMO,
): Promise<LeadItem> {
  const answer = await read(request, `${origin}/api/${list}?id=${encodeURIComponent(id)}`)
  return pick<LeadItem>(answer[LISTS[list].field])
}

/** The status that the server has of a lead now. */
export async function statusOf(request: APIRequestContext, list: LeadList, id: string, origin = DEMO): Promise<string> {
  return (await leadNow(request, list, id, origin)).triage.status
}

/** The code of the pages. */
export const CHUNKS = '**/_next/static/chunks/**'

/** What is asked for at this address from now on waits until the answer is called. */
export async function holdBack(page: Page, address: string | RegExp): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await held.promise
    await route.continue()
  })
  return () => held.resolve()
}

/** At this address the server's answer is changed on its way to the page. */
export async function changeAnswers<Answer>(
  page: Page,
  address: string,
  change: (answer: Answer) => Answer | void,
): Promise<void> {
  await page.route(address, async (route) => {
    const response = await route.fetch()
    const json: Answer = await response.json()
    await route.fulfill({ response, json: change(json) ?? json })
  })
}

/** Fills in the form of the sign-in page. */
export async function fillSignIn(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('E-post').fill(email)
  await page.getByLabel('Lösenord', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Logga in', exact: true }).click()
}

/** What arrives as a file when this is pressed. */
export async function downloaded(page: Page, press: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

/** A tab that saves data, so that nothing is fetched before it is wanted. */
export async function fetchNothingAhead(page: Page): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
}

/** A telephone, held by a hand. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** The part of a page that is asked from within, in whichever browser. */
export type Asked = {
  evaluate: <Answer>(inPage: () => Answer | Promise<Answer>) => Promise<Answer>
  waitForFunction: (inPage: () => unknown) => Promise<unknown>
}

/** Nothing is wider than the window. */
export async function expectToFit(page: Asked): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow, 'nothing sticks out to the side').toBeLessThanOrEqual(0)
}

/**
 * WCAG 2.2 AA, as far as a machine can tell; that names contain the visible text is still among axe's experiments. Nothing moves
 * meanwhile: what is still fading in, like a notice that comes just then, has no contrast yet.
 */
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

/** Opens a page and waits until it answers to keys and clicks: the server's HTML is there before its scripts are. */
export async function open(page: Asked & { goto: (path: string) => Promise<unknown> }, path: string): Promise<void> {
  await page.goto(path)
  await awake(page)
}

/** Waits until React has taken over the part of the page that matters: the list if there is one. */
export async function awake(page: Asked): Promise<void> {
  await page.waitForFunction(() => {
    const element = ['[role=option]', 'main button, main a', 'button']
      .map((selector) => document.querySelector(selector))
      .find((found) => found !== null)
    return element !== undefined && Object.keys(element).some((key) => key.startsWith('__reactProps'))
  })
  // What is drawn listens to keys a little later, when its effects have run, and has its places once its letters are here.
  await page.evaluate(async () => void (await document.fonts.ready))
  await atRest(page)
}

/** The browser has done what it had to do by now. WebKit does not say so: there a timer that is in time does. */
export async function atRest(page: Asked): Promise<void> {
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

/** Lets time pass, in a page that was opened with `page.clock.install()`, until this holds. */
export async function passTimeUntil(page: Page, stepMs: number, holds: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(stepMs)
    await holds()
  }).toPass({ intervals: [50] })
}
