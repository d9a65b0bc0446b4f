import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { buildIfNeeded } from './build.mjs'
import { findChromium } from './testing/chromium.mjs'
import { createMachine } from './testing/machine.ts'

// `npm run help-pictures` takes the handbook's pictures of the demo, in both languages, into `public/help`.

const PORT = 3111
const BASE = `http://localhost:${PORT}`
const DESK = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 }
const PHONE = { viewport: { width: 390, height: 760 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
/** After this time lists are loaded and animations have ended. */
const SETTLE_MS = 1_500

/** Each picture is of a desk on which the third lead is open, after its scene has run. */
const scenes = {
  inbox: async () => {},
  search: async (page, { inbox }) => {
    await page.getByPlaceholder(inbox['declarations-of-interest'].search).fill('berg')
    await page.locator('mark').first().waitFor()
  },
  palette: async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('and')
    await wait(SETTLE_MS)
  },
  contact: async (page, { lead }) => {
    await page.getByRole('button', { name: lead.more }).click()
    await page.getByRole('link', { name: lead.showContact }).click()
    await page.waitForURL(/contacts/)
  },
  marked: async (page) => {
    await page.keyboard.press('Escape')
    for (const key of ['x', 'j', 'j', 'Shift+x']) await page.keyboard.press(key)
  },
  export: async (page, { inbox }) => {
    await page.getByRole('button', { name: inbox.export, exact: true }).click()
    await page.getByRole('dialog').waitFor()
  },
  filter: async (page, { inbox }) => {
    await page.goto(`${BASE}/questions`)
    for (const name of [inbox.filters, inbox.filter.topic])
      await page
        .getByRole('button', { name: new RegExp(`^${name}`) })
        .first()
        .click()
  },
  interest: (page) => page.goto(`${BASE}/interest`),
  today: (page) => page.goto(`${BASE}/today`),
  reply: async (page, _, language) => {
    await page.goto(`${BASE}/questions?waiting=1&mode=email`)
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('r')
    await page.getByRole('article').getByRole('textbox').nth(1).waitFor()
    await wait(SETTLE_MS)
    await page.keyboard.insertText(language === 'sv' ? 'Ja, du är varmt välkommen. ' : 'Yes, you are most welcome. ')
  },
}

const folder = mkdtempSync(join(tmpdir(), 'intag-pictures-'))
const app = createMachine({
  name: 'demo',
  folder,
  command: process.execPath,
  args: ['scripts/start.mjs'],
  options: { env: { ...process.env, PORT: String(PORT), NEXTAUTH_URL: BASE, DATA_DIR: join(folder, 'data') } },
  isReady: async () => (await fetch(`${BASE}/api/health`).catch(() => null))?.ok === true,
})
try {
  await buildIfNeeded()
  await app.start()
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-quic'],
  })
  for (const language of ['sv', 'en']) await takePictures(browser, language)
  await browser.close()
} finally {
  await app.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

async function takePictures(browser, language) {
  const readMessages = (name) => JSON.parse(readFileSync(`lib/i18n/messages/${language}/${name}.json`, 'utf8'))
  const messages = { inbox: readMessages('inbox'), lead: readMessages('lead') }
  const locale = language === 'sv' ? 'sv-SE' : 'en-GB'
  const settings = { locale, timezoneId: 'Europe/Stockholm', colorScheme: 'light' }
  const toPath = (name) => join('public', 'help', language, `${name}.webp`)
  const desk = await openSignedInContext(browser, { ...settings, ...DESK })
  for (const [name, prepare] of Object.entries(scenes)) {
    const page = await desk.newPage()
    await page.goto(`${BASE}/declarations`)
    await page.getByRole('option').first().waitFor()
    await wait(SETTLE_MS)
    await page.getByRole('option').nth(2).click()
    await wait(SETTLE_MS)
    await prepare(page, messages, language)
    await wait(SETTLE_MS)
    await takePicture(page, toPath(name))
    await page.close()
  }
  const phone = await openSignedInContext(browser, { ...settings, ...PHONE })
  const page = await phone.newPage()
  await page.goto(`${BASE}/declarations`)
  await wait(SETTLE_MS)
  const list = await page.screenshot()
  await page.getByRole('option').nth(1).click()
  await wait(SETTLE_MS)
  const images = [list, await page.screenshot()].map(
    (screenshot) => `<img style="height: 768px" src="data:image/png;base64,${screenshot.toString('base64')}">`,
  )
  const sideBySide = await desk.newPage()
  await sideBySide.setContent(`<div style="display: flex; justify-content: center; gap: 40px">${images.join('')}</div>`)
  await takePicture(sideBySide, toPath('phone'))
  await desk.close()
  await phone.close()
}

async function openSignedInContext(browser, options) {
  const context = await browser.newContext(options)
  const { csrfToken } = await (await context.request.get(`${BASE}/api/auth/csrf`)).json()
  const form = { csrfToken, email: 'staff@demo.test', password: 'demo', json: 'true' }
  await context.request.post(`${BASE}/api/auth/callback/credentials`, { form })
  return context
}

/** Takes a WebP, with a transparent background, by the DevTools protocol: Playwright has only PNG and JPEG. */
async function takePicture(page, path) {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } })
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  writeFileSync(path, data, 'base64')
}
