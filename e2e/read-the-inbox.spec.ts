import type { Page } from '@playwright/test'
import { admin, awake, comeIn, DEMO, expect, open, openLeadId, rows, staff, statusOf, test } from './fixtures'

const search = (page: Page) => page.getByRole('searchbox')

test(
  'a person signs in and reads real leads, and new ones arrive by themselves',
  { tag: '@full' },
  async ({ page, context }) => {
    await comeIn(context, admin)
    await open(page, '/declarations')
    await expect(page.getByRole('heading', { name: /^Intresseanmälningar/ })).toBeVisible()
    await expect(rows(page).nth(9)).toBeVisible()
    const total = async () =>
      (await (await context.request.get(`${DEMO}/api/declarations-of-interest?limit=1`)).json()).total
    const before = await total()
    await expect(async () => expect(await total()).toBeGreaterThan(before)).toPass({ timeout: 40_000 })
  },
)

test('search finds Åsa for "asa", marks her, and is not in the address', async ({ page, context }) => {
  await comeIn(context, admin)
  await open(page, '/declarations')
  await expect(rows(page).first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('asa oberg')
  await expect(rows(page).first()).toContainText('Åsa Öberg')
  await expect(rows(page).first().locator('mark').first()).toHaveText('Åsa')
  expect(page.url()).not.toContain('oberg')
  await page.reload()
  await awake(page)
  await expect(search(page)).toHaveValue('asa oberg')
  await expect(rows(page).first()).toContainText('Åsa Öberg')
})

test('an open lead shows everything that was sent, and reload and back keep the place', async ({ page, context }) => {
  await comeIn(context, staff)
  // Those who began last year are old enough to be written to without a second thought.
  await open(page, `/declarations?year=${new Date().getFullYear() - 1}`)
  const first = rows(page).first()
  await first.click()
  await expect(page).toHaveURL(/lead=/)
  const detail = page.getByRole('region', { name: /Ärende|Fråga/ }).or(page.getByRole('main'))
  await expect(detail.getByRole('button', { name: 'Mejla' })).toBeVisible()
  const address = page.url()
  await page.reload()
  await awake(page)
  await expect(detail.getByRole('button', { name: 'Mejla' })).toBeVisible()
  expect(page.url()).toBe(address)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/lead=/)
})

test('opening a lead changes no status; the person does, and it lasts', async ({ page, context }) => {
  await comeIn(context, staff)
  await open(page, '/declarations?status=new')
  await rows(page).nth(3).click()
  await expect(page).toHaveURL(/lead=/)
  const id = openLeadId(page)
  const stored = () => statusOf(page.request, 'declarations-of-interest', id)
  await expect(page.getByRole('button', { name: /^Status: Ny. Ändra/ })).toBeVisible()
  expect(await stored()).toBe('new')
  await page.getByRole('button', { name: /^Status: Ny. Ändra/ }).click()
  await page.getByRole('menuitemradio', { name: 'Hanterad' }).click()
  await expect(async () => expect(await stored()).toBe('handled')).toPass()
  const undo = await context.request.patch(`${DEMO}/api/triage`, {
    headers: { origin: DEMO },
    data: { leads: [{ kind: 'declaration-of-interest', id }], status: 'new' },
  })
  expect(undo.status()).toBe(200)
})

test('by keyboard alone: down, open, next, close', { tag: '@full' }, async ({ page, context }) => {
  await comeIn(context, staff)
  await open(page, '/declarations')
  await expect(rows(page).first()).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/lead=/)
  const opened = page.url()
  await page.keyboard.press('j')
  await expect(page).not.toHaveURL(opened)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/lead=/)
})

test('the whole list can be reached: the last of thousands of rows is there', async ({ page, context }) => {
  await comeIn(context, admin)
  await open(page, '/declarations?sort=createdAt')
  await expect(rows(page).first()).toBeVisible()
  const scroller = page.getByRole('listbox')
  await scroller.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
  const size = Number(await rows(page).first().getAttribute('aria-setsize'))
  expect(size).toBeGreaterThan(14_000)
  await expect(page.locator(`[role=option][aria-posinset="${size}"]`)).toContainText(/\d/)
})

test('the school picker narrows both lists and survives the way between them', async ({ page, context }) => {
  await comeIn(context, admin)
  await open(page, '/declarations?school=norra-gymnasiet')
  await expect(rows(page).first()).toContainText('Norra Gymnasiet')
  await page.locator('a.nav-side[href^="/questions"]').click()
  await expect(page).toHaveURL(/\/questions\?.*school=norra-gymnasiet/)
  await expect(rows(page).first()).toContainText('Norra Gymnasiet')
})

test('the rows are in the first HTML itself, and the screen that is left stays, busy, until the next one has come', async ({
  page,
  context,
}) => {
  await comeIn(context, admin)
  const html = await (await context.request.get('/declarations')).text()
  expect(html.slice(0, html.indexOf('</main>'))).toContain('id="row-0"')
  await open(page, '/declarations')
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/\/questions\?.*_rsc=/, async (route) => {
    await held
    await route.continue()
  })
  await page.locator('a.nav-side[href^="/questions"]').click()
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
  await expect(rows(page).first()).toBeVisible()
  answer()
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'false')
  await expect(page).toHaveURL(/\/questions/)
})
