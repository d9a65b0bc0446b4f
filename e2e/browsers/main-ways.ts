import { globSync, readFileSync } from 'node:fs'
import type { APIRequestContext } from '@playwright/test'
import ExcelJS from 'exceljs'
import {
  ACCOUNTS,
  ready,
  expect,
  expectToFit,
  open,
  OTHER_BROWSERS,
  signIn as signInByRequest,
  statusOf,
  yesterday,
} from '../fixtures'
import { DOWNLOADS, type Engine } from './engines'
import type { TabLocator, Tab } from './tab'

type Test = (title: string, way: (given: { tab: Tab; request: APIRequestContext }) => Promise<void>) => void

const rowsOf = (tab: Tab) => tab.getByRole('listbox').getByRole('option')
const button = (tab: Tab, name: string) => tab.getByRole('button', { name, exact: true })
const pathOf = async (tab: Tab) => (await tab.url()).replace(OTHER_BROWSERS, '')

/** The main ways in Firefox and WebKit, at the same demo at the same time. */
export function mainWays(test: Test, engine: Engine): void {
  test('signing in by typing leads to the day, and search finds Åsa for "asa oberg"', async ({ tab }) => {
    const field = tab.getByRole('searchbox')
    await signIn(tab, ACCOUNTS.staff.email)
    await expect.poll(() => pathOf(tab)).toMatch(/^\/today/)
    await open(tab, '/declarations')
    await expectToSee(tab.getByRole('heading', { name: 'Intresseanmälningar', exact: true }))
    await expect.poll(() => rowsOf(tab).count(), 'a screen full of rows').toBeGreaterThan(9)
    await expectToFit(tab)
    await tab.keyboard.press('/')
    await tab.waitForFunction(() => document.activeElement instanceof HTMLInputElement)
    await tab.keyboard.type('asa oberg')
    await expect.poll(() => firstMarks(tab), 'Åsa Öberg is first, and marked').toMatch(/^Åsa,? ?Öberg/)
    expect(await rowsOf(tab).first().innerText()).toContain('Åsa Öberg')
    expect(await pathOf(tab)).toMatch(/declarations/)
    expect(await pathOf(tab)).not.toContain('oberg')
    await tab.reload()
    await expect.poll(() => field.inputValue(), 'a reload finds it again').toBe('asa oberg')
    await open(tab, '/declarations')
    expect(await field.inputValue(), 'a new page begins without').toBe('')
  })

  test('a lead is opened, decided upon, and the decision taken back by key and by button', async ({ tab, request }) => {
    await signInByRequest(request, 'staff', OTHER_BROWSERS)
    await signIn(tab, ACCOUNTS.staff.email)
    for (const undo of ['key', 'button'] as const) {
      await open(tab, `/questions?status=new&sort=createdAt&mode=${engine === 'firefox' ? 'phone' : 'email'}`)
      const id = await openFirst(tab)
      const status = () => statusOf(request, 'asked-questions', id, OTHER_BROWSERS)
      await expectToSee(tab.getByRole('region', { name: 'Öppet ärende', exact: true }))
      expect(await status()).toBe('new')
      await tab.keyboard.press('e')
      await expect.poll(status).toBe('handled')
      await (undo === 'key' ? tab.keyboard.press('z') : button(tab, 'Ångra').click())
      await expect.poll(status).toBe('new')
    }
  })

  test('what is exported arrives as a file with as many rows as promised', async ({ tab }) => {
    // Export choices are remembered per user, so the browsers are two users.
    const { email } = ACCOUNTS[engine === 'firefox' ? 'staff' : 'admin']
    await signIn(tab, email, `/declarations?year=${new Date().getFullYear()}&to=${yesterday}`)
    for (const format of ['xlsx', 'csv'] as const) {
      await button(tab, 'Exportera').click()
      const dialog = tab.getByRole('dialog', { name: /\d/ })
      const start = dialog.getByRole('button', { name: /^Exportera \d/ })
      const kind = dialog.getByRole('radio', { name: format === 'csv' ? 'CSV' : 'Excel', exact: true })
      // The tick is hidden under its label.
      await kind.click({ force: true })
      await expect.poll(() => kind.isChecked(), `${format} is chosen`).toBe(true)
      await dialog.getByRole('combobox', { name: 'Syfte', exact: true }).selectOption('statistics')
      const promised = Number((await start.innerText()).replaceAll(/\D/g, ''))
      await start.click()
      const file = await arrived(DOWNLOADS[engine], new RegExp(`-${promised}\\.${format}$`))
      expect(await rowsIn(file, format)).toBe(promised + 1)
      await expectGone(dialog)
    }
  })

  test('the numbers per year are there, and charts are drawn', async ({ tab }) => {
    await signIn(tab, ACCOUNTS.manager.email, '/interest')
    await expectToSee(tab.getByRole('heading', { name: /\d{4}/ }))
    await tab.waitForFunction(() => (document.querySelector('main section svg[data-picture]')?.clientWidth ?? 0) > 200)
  })

  test('menus, popovers and dialogs open where there is room, close on Escape, and the palette goes on', async ({
    tab,
  }) => {
    await signIn(tab, ACCOUNTS.staff.email, '/declarations')
    for (const [trigger, box] of [
      [tab.getByRole('button', { name: /Sara Lindqvist/ }), tab.getByRole('menu')],
      [button(tab, 'Filter'), tab.getByRole('dialog')],
    ] as const) {
      await trigger.click()
      await expectToSee(box)
      await expectToFit(tab)
      await tab.keyboard.press('Escape')
      await expectGone(box)
    }
    await tab.keyboard.press('Control+k')
    const palette = tab.getByRole('dialog', { name: 'Sök och kommandon', exact: true })
    await expectToSee(palette.getByRole('combobox'))
    // Firefox's driver loses letters that its keyboard does not have.
    await tab.keyboard.type('fragor')
    const first = palette.getByRole('option').first()
    await expect.poll(() => first.innerText()).toContain('Frågor')
    await tab.keyboard.press('Enter')
    await expect.poll(() => pathOf(tab)).toMatch(/^\/questions/)
    await expectGone(tab.getByRole('dialog'))
  })

  test('on a phone the list fits, a lead opens over it, and back leads to the list', async ({ tab }) => {
    // WebKitGTK's window cannot be narrower than its buttons.
    await tab.setViewportSize({ width: engine === 'webkit' ? 450 : 390, height: 760 })
    await signIn(tab, ACCOUNTS.staff.email, `/declarations?to=${yesterday}`)
    await expectToFit(tab)
    await openFirst(tab)
    await button(tab, 'Tillbaka till listan').click()
    await expect.poll(() => pathOf(tab)).not.toContain('lead=')
    await expectToSee(rowsOf(tab))
  })
}

async function signIn(tab: Tab, email: string, path?: string): Promise<void> {
  await open(tab, '/signin')
  await tab.getByRole('textbox', { name: 'E-post', exact: true }).click()
  await tab.keyboard.type(email)
  await tab.keyboard.press('Tab')
  await tab.keyboard.type('demo')
  await tab.keyboard.press('Enter')
  await expect.poll(() => pathOf(tab)).toMatch(/^\/(?!signin)/)
  // Leaving a page that still loads is an error of Playwright with Firefox.
  await tab.waitForFunction(() => document.readyState === 'complete')
  await ready(tab)
  if (path !== undefined) await open(tab, path)
}

async function openFirst(tab: Tab): Promise<string> {
  await rowsOf(tab).first().click()
  await expect.poll(() => pathOf(tab)).toMatch(/[?&]lead=/)
  return new URL(await tab.url()).searchParams.get('lead') ?? ''
}

async function expectToSee(found: TabLocator): Promise<void> {
  await expect.poll(() => found.count()).toBeGreaterThan(0)
}

async function expectGone(found: TabLocator): Promise<void> {
  await expect.poll(() => found.count()).toBe(0)
}

async function firstMarks(tab: Tab): Promise<string> {
  const marks = await tab.evaluate(() =>
    [...(document.querySelector('[role=option]')?.querySelectorAll('mark') ?? [])].map((mark) => mark.textContent),
  )
  return marks.join(' ')
}

/** The path of a complete file. */
async function arrived(folder: string, ending: RegExp): Promise<string> {
  const files = () => globSync(`${folder}/*`)
  await expect.poll(files).toContainEqual(expect.stringMatching(ending))
  await expect.poll(files).not.toContainEqual(expect.stringMatching(/\.(part|wkdownload)$/))
  return files().find((path) => ending.test(path)) ?? ''
}

async function rowsIn(path: string, format: 'xlsx' | 'csv'): Promise<number> {
  if (format === 'csv')
    return readFileSync(path, 'utf8')
      .trimEnd()
      .split(/\r\n(?=\d{4}-)/).length
  const workbook = new ExcelJS.Workbook()
  await workbook.xlsx.readFile(path)
  return workbook.worksheets[0]?.actualRowCount ?? 0
}
