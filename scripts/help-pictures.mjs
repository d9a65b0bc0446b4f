import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { findChromium } from './testing/chromium.mjs'

/** In both languages and themes, to `public/help`. */
const PORT = 3111
const BASE = `http://localhost:${PORT}`
const SIZE = { width: 1280, height: 800 }

const WORDS = {
  sv: {
    locale: 'sv-SE',
    lead: 'Mer om ärendet',
    contact: 'Visa hela kontakten',
    list: 'Mer om listan',
    export: 'Exportera',
    search: 'Sök namn, e-post, telefon',
    filter: ['Filter', 'Frågan gäller'],
  },
  en: {
    locale: 'en-GB',
    lead: 'More about the lead',
    contact: 'Show the whole contact',
    list: 'More about the list',
    export: 'Export',
    search: 'Search name, email, phone',
    filter: ['Filters', 'Topic'],
  },
}

const ways = {
  inbox: async () => {},
  search: async (page, words) => {
    await page.getByPlaceholder(words.search).fill('berg')
    await page.locator('mark').first().waitFor()
  },
  palette: async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('and')
    await wait(1_500)
  },
  contact: async (page, words) => {
    await page.getByRole('button', { name: words.lead }).click()
    await page.getByRole('link', { name: words.contact }).click()
    await page.waitForURL(/contacts/)
  },
  marked: async (page) => {
    await page.keyboard.press('Escape')
    for (const key of ['x', 'j', 'j', 'Shift+x']) await page.keyboard.press(key)
  },
  export: async (page, words) => {
    await page.getByRole('button', { name: words.list }).click()
    await page.getByRole('menuitem', { name: words.export }).click()
    await page.getByRole('dialog').waitFor()
  },
  filter: async (page, words) => {
    await page.goto(`${BASE}/questions`)
    for (const name of words.filter)
      await page
        .getByRole('button', { name: new RegExp(`^${name}`) })
        .first()
        .click()
  },
  interest: (page) => page.goto(`${BASE}/interest`),
  today: (page) => page.goto(`${BASE}/today`),
  reply: async (page, words) => {
    await page.goto(`${BASE}/questions?waiting=1&mode=email`)
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('r')
    await page.getByRole('article').getByRole('textbox').nth(1).waitFor()
    await wait(1_000)
    await page.keyboard.insertText(words === WORDS.sv ? 'Ja, du är varmt välkommen. ' : 'Yes, you are most welcome. ')
  },
}

const folder = mkdtempSync(join(tmpdir(), 'intag-pictures-'))
const app = spawn('npm', ['start'], {
  stdio: ['ignore', 'ignore', 'inherit'],
  detached: true,
  env: { ...process.env, PORT: String(PORT), NEXTAUTH_URL: BASE, DATA_DIR: join(folder, 'data') },
})
try {
  const isReady = async () => (await fetch(`${BASE}/api/health`).catch(() => null))?.ok === true
  for (let tries = 0; !(await isReady()); tries += 1) {
    if (tries === 600) throw new Error('The demo did not start; its message stands above.')
    await wait(500)
  }
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-quic'],
  })
  for (const language of ['sv', 'en']) for (const theme of ['light', 'dark']) await takeAll(browser, language, theme)
  await browser.close()
} finally {
  if (app.pid !== undefined) process.kill(-app.pid, 'SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

async function takeAll(browser, language, theme) {
  const words = WORDS[language]
  const settings = { locale: words.locale, timezoneId: 'Europe/Stockholm', colorScheme: theme }
  const to = (name) => join('public', 'help', language, `${name}-${theme}.webp`)
  mkdirSync(join('public', 'help', language), { recursive: true })
  const desk = await browser.newContext({ ...settings, viewport: SIZE, deviceScaleFactor: 1.5 })
  await signIn(desk)
  for (const [name, way] of Object.entries(ways)) {
    const page = await desk.newPage()
    await page.goto(`${BASE}/declarations`)
    await page.getByRole('option').first().waitFor()
    await wait(1_000)
    await page.getByRole('option').nth(2).click()
    await wait(500)
    await way(page, words)
    await wait(1_200)
    writeFileSync(to(name), await webp(desk, [await page.screenshot()]))
    await page.close()
  }
  await desk.close()
  const touch = { viewport: { width: 390, height: 760 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
  const phone = await browser.newContext({ ...settings, ...touch })
  await signIn(phone)
  const page = await phone.newPage()
  await page.goto(`${BASE}/declarations`)
  await wait(2_000)
  const list = await page.screenshot()
  await page.getByRole('option').nth(1).click()
  await wait(1_500)
  writeFileSync(to('phone'), await webp(phone, [list, await page.screenshot()]))
  await phone.close()
}

async function signIn({ request }) {
  const { csrfToken } = await (await request.get(`${BASE}/api/auth/csrf`)).json()
  const form = { csrfToken, email: 'staff@demo.test', password: 'demo', json: 'true' }
  await request.post(`${BASE}/api/auth/callback/credentials`, { form })
}

async function webp(context, pictures) {
  const page = await context.newPage()
  const shots = pictures.map((picture) => `data:image/png;base64,${picture.toString('base64')}`)
  const written = await page.evaluate(
    async ({ sources, width, height }) => {
      const images = await Promise.all(
        sources.map(async (source) => {
          const image = new Image()
          image.src = source
          await image.decode()
          return image
        }),
      )
      const canvas = Object.assign(document.createElement('canvas'), { width: width * 1.5, height: height * 1.5 })
      const paper = canvas.getContext('2d')
      const scale = Math.min(1, (canvas.height - 48) / Math.max(...images.map((image) => image.height)))
      const fit = images.length === 1 ? 1 : scale
      const gap = 60
      let left = (canvas.width - images.reduce((sum, image) => sum + image.width * fit, gap * (images.length - 1))) / 2
      for (const image of images) {
        paper?.drawImage(image, left, (canvas.height - image.height * fit) / 2, image.width * fit, image.height * fit)
        left += image.width * fit + gap
      }
      return canvas.toDataURL('image/webp', 0.8)
    },
    { sources: shots, ...SIZE },
  )
  await page.close()
  return Buffer.from(written.slice(written.indexOf(',') + 1), 'base64')
}
