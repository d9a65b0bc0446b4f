import { writeFileSync } from 'node:fs'
import { expect, test as base } from '@playwright/test'
import { type Browser, type Tab, until } from './browser'
import { findFirefox, startFirefox } from './firefox'
import { type Person, personAt } from './person'
import { findWebKit, startWebKit } from './webkit'
import { word } from './words'

export type Engine = 'firefox' | 'webkit'
const ENGINES = {
  firefox: { find: findFirefox, start: startFirefox, packages: 'firefox-esr' },
  webkit: { find: findWebKit, start: startWebKit, packages: 'webkit2gtk-driver xvfb' },
}

/** Somebody at one tab of the demo. */
export type Desk = Tab &
  Person & {
    downloads: string
    /** Goes to a page of the demo and waits until it answers to keys and clicks. */
    open: (path: string) => Promise<void>
    /** Signs in as a person does, by typing. */
    signIn: (email: string) => Promise<void>
    /** Path and search of where the tab is, once they are as expected. */
    arriveAt: (address: RegExp) => Promise<string>
    /** What the server answers to whoever is signed in. */
    fetched: <Answer>(path: string) => Promise<Answer>
  }

/**
 * A desk in another browser than the one that all other tests use. A test fails when a screen gave up, or when the
 * console shows an error or a violated policy. Where the browser is missing its tests are skipped; in CI they fail.
 */
export const test = base.extend<{ desk: Desk }, { engine: Engine; started: Browser }>({
  engine: ['firefox', { option: true, scope: 'worker' }],
  started: [
    async ({ engine }, use) => {
      const { find, start, packages } = ENGINES[engine]
      const path = find()
      if (path === undefined) throw new Error(`There is no ${engine}. On Debian: apt-get install ${packages}`)
      const browser = await start(path)
      await use(browser)
      await browser.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  desk: async ({ started, baseURL }, use, info) => {
    const tab = await started.newTab()
    await tab.resize(1280, 860)
    const desk = deskOf(tab, started.downloads, baseURL ?? '')
    await use(desk)
    if (info.status !== info.expectedStatus) {
      writeFileSync(info.outputPath('screen.png'), await tab.screenshot())
      console.log(`What the screen showed:\n${await tab.run(shown)}`)
    }
    const gaveUp = await desk.all({ role: 'heading', name: word('errors/title') })
    await tab.close()
    expect(gaveUp, 'no screen has given up').toEqual([])
    expect(tab.errors(), 'no errors in the console').toEqual([])
  },
})
export { expect }

/** Whether there is nothing to test with here, which is then said aloud. */
export function isMissing(engine: Engine): boolean {
  const isHere = Boolean(process.env.CI) || ENGINES[engine].find() !== undefined
  if (!isHere && !told.has(engine)) {
    told.add(engine)
    console.log(`${engine} is not installed (Debian: ${ENGINES[engine].packages}): its tests are skipped.`)
  }
  return !isHere
}
const told = new Set<Engine>()

function deskOf(tab: Tab, downloads: string, origin: string): Desk {
  const person = personAt(tab)
  const awake = () => until('the page is awake', () => tab.run(isAwake))
  const open = async (path: string) => {
    await tab.goto(origin + path)
    await awake()
  }
  const arriveAt = (address: RegExp) =>
    until(`the address is ${address}`, async () => {
      const here = await tab.run(() => window.location.pathname + window.location.search)
      return address.test(here) && here
    })
  return {
    ...tab,
    ...person,
    downloads,
    open,
    arriveAt,
    signIn: async (email) => {
      await open('/signin')
      await person.press({ role: 'textbox', name: word('signin/email') })
      await person.write(email)
      await person.key('Tab')
      await person.write('demo')
      await person.key('Enter')
      await arriveAt(/^\/(?!signin)/)
      await awake()
    },
    fetched: (path) => tab.run(async (wanted) => (await fetch(wanted)).json(), path),
  }
}

/** Runs in the page: what somebody would read there, and where they would write. */
function shown(): string {
  const { activeElement, body } = document
  return `${location.href}, focus on ${activeElement?.outerHTML.slice(0, 200)}\n${body.innerText.slice(0, 2_000)}`
}

/** Runs in the page: whether React has taken over the part that matters, and the page is at rest, so that its effects have run. */
async function isAwake(): Promise<boolean> {
  if (document.readyState !== 'complete') return false
  const element = ['[role=option]', 'main button, main a', 'button']
    .map((selector) => document.querySelector(selector))
    .find((found) => found !== null)
  const isTaken = element !== undefined && Object.keys(element).some((key) => key.startsWith('__reactProps'))
  const began = performance.now()
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))
  // WebKit has no `requestIdleCallback`: a timer that is late says that there was something else to do.
  return isTaken && performance.now() - began < 100
}
