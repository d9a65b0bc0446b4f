import type { Page } from '@playwright/test'
import { admin, awake, DEMO, expect, open, signIn, staff, test } from './fixtures'

const rows = (page: Page) => page.getByRole('option')
const search = (page: Page) => page.getByRole('searchbox')

test('a person signs in and reads real leads, and new ones arrive by themselves', async ({ page, context }) => {
  await signIn(context.request, admin)
  await open(page, '/declarations')
  await expect(page.getByRole('heading', { name: /^Intresseanmälningar/ })).toBeVisible()
  await expect(rows(page).nth(9)).toBeVisible()
  const total = async () =>
    (await (await context.request.get(`${DEMO}/api/declarations-of-interest?limit=1`)).json()).total
  const before = await total()
  await expect(async () => expect(await total()).toBeGreaterThan(before)).toPass({ timeout: 40_000 })
})

test('search finds Åsa for "asa", marks her, and is not in the address', async ({ page, context }) => {
  await signIn(context.request, admin)
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
  await signIn(context.request, staff)
  await open(page, '/questions?mode=email')
  const first = rows(page).first()
  await first.click()
  await expect(page).toHaveURL(/lead=/)
  const detail = page.getByRole('region', { name: /Ärende|Fråga/ }).or(page.getByRole('main'))
  await expect(detail.getByRole('link', { name: 'Mejla' })).toHaveAttribute('href', /^mailto:/)
  const address = page.url()
  await page.reload()
  await awake(page)
  await expect(detail.getByRole('link', { name: 'Mejla' })).toBeVisible()
  expect(page.url()).toBe(address)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/lead=/)
})

test('opening a lead changes no status; the person does, and it lasts', async ({ page, context }) => {
  await signIn(context.request, staff)
  await open(page, '/declarations?status=new')
  await rows(page).nth(3).click()
  await expect(page).toHaveURL(/lead=/)
  const id = new URL(page.url()).searchParams.get('lead') ?? ''
  const stored = async () => {
    const answer = await context.request.get(`${DEMO}/api/declarations-of-interest?id=${encodeURIComponent(id)}`)
    return (await answer.json()).declarationsOfInterest[0].triage.status
  }
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

test('by keyboard alone: down, open, next, close', async ({ page, context }) => {
  await signIn(context.request, staff)
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
  await signIn(context.request, admin)
  await open(page, '/declarations?sort=createdAt')
  await expect(rows(page).first()).toBeVisible()
  const scroller = page.getByRole('listbox')
  await scroller.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
  const size = Number(await rows(page).first().getAttribute('aria-setsize'))
  expect(size).toBeGreaterThan(14_000)
  await expect(page.locator(`[role=option][aria-posinset="${size}"]`)).toContainText(/\d/)
})

test('the school picker narrows both lists and survives the way between them', async ({ page, context }) => {
  await signIn(context.request, admin)
  await open(page, '/declarations?school=norra-gymnasiet')
  await expect(rows(page).first()).toContainText('Norra Gymnasiet')
  await page.getByRole('link', { name: 'Frågor' }).click()
  await expect(page).toHaveURL(/\/questions\?.*school=norra-gymnasiet/)
  await expect(rows(page).first()).toContainText('Norra Gymnasiet')
})
