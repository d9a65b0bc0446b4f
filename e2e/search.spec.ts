import type { APIRequestContext, Page } from '@playwright/test'
import type { DeclarationsPage } from '@/lib/contract/lead'
import { atRest, expect, holdBack, open, read, staff, test } from './fixtures'
import { cursor, openLeadId, openFilter, press, rows, search, typeSearch } from './leads'

const list = (page: Page) => page.getByRole('listbox')
const holdAnswers = (page: Page) => holdBack(page, /\/api\/declarations-of-interest\?.*q=/)

test.use({ as: staff })

type Found = { ids: string[]; names: string[]; total: number }

async function found(request: APIRequestContext, q: string, more = ''): Promise<Found> {
  const path = `/api/declarations-of-interest?${new URLSearchParams({ q })}${more}`
  const { declarationsOfInterest, total }: DeclarationsPage = await read(request, path)
  const names = declarationsOfInterest.map(({ user }) => [user.firstName, user.lastName, user.email].join(' '))
  return { ids: declarationsOfInterest.map(({ id }) => id), names, total }
}

async function searchFor(page: Page, text: string): Promise<void> {
  const answered = page.waitForResponse((answer) => new URL(answer.url()).searchParams.get('q') === text)
  await page.keyboard.press('/')
  await search(page).fill(text)
  await answered
  await expect(list(page)).toHaveAttribute('aria-busy', 'false')
}

test(
  '"åsa" finds no Asa, "asa" both, and names that begin with it first',
  { tag: '@full' },
  async ({ page, context }) => {
    await open(page, '/declarations')
    await searchFor(page, 'åsa')
    await expect(rows(page).first()).toContainText('Åsa')
    await expect.poll(async () => (await rows(page).allInnerTexts()).filter((text) => !/åsa/i.test(text))).toEqual([])
    const [exact, plain] = [await found(context.request, 'åsa'), await found(context.request, 'asa')]
    expect(plain.total).toBeGreaterThan(exact.total)
    await searchFor(page, 'asa')
    await expect(rows(page).first().locator('mark')).toHaveText(['Åsa'])
    const begins = plain.names.map((name) => /(?<![\p{L}\d])[åa]s[aå]/iu.test(name))
    const inside = begins.indexOf(false)
    expect(inside, 'like Anas Ahmed, with it inside').toBeGreaterThan(0)
    expect(begins.slice(inside), 'after everybody who begins with it').not.toContain(true)
  },
)

test('Enter opens the first hit of the whole text, however late the answer', async ({ page, context }) => {
  await open(page, '/declarations')
  const letGo = await holdAnswers(page)
  await typeSearch(page, 'asa oberg')
  await page.keyboard.press('Enter')
  letGo()
  await expect(page).toHaveURL(/lead=/)
  expect(openLeadId(page)).toBe((await found(context.request, 'asa oberg', '&limit=1')).ids[0])
  await expect(cursor(page)).toContainText('Åsa Öberg')
  await expect(list(page)).toBeFocused()
})

test('another letter cancels Enter, and no hit keeps the focus in the field', { tag: '@full' }, async ({ page }) => {
  await open(page, '/declarations')
  const letGo = await holdAnswers(page)
  await typeSearch(page, 'asa')
  await page.keyboard.press('Enter')
  await page.keyboard.type(' zzqqxx')
  letGo()
  await expect(page.getByText('Inga träffar').first()).toBeVisible()
  await page.keyboard.press('Enter')
  await atRest(page)
  await expect(search(page)).toBeFocused()
  expect(openLeadId(page)).toBe('')
  await page.keyboard.press('Escape')
  await expect(search(page)).toHaveValue('')
  await expect(rows(page).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(search(page)).not.toBeFocused()
})

test('arrows and Enter work before any click, and from the field', { tag: '@full' }, async ({ page }) => {
  await open(page, '/declarations?sort=createdAt')
  await press(page, 'ArrowDown ArrowDown')
  await expect(cursor(page)).toHaveAttribute('aria-posinset', '2')
  await expect(list(page)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(cursor(page)).toHaveAttribute('aria-posinset', '1')
  const letGo = await holdAnswers(page)
  await typeSearch(page, 'öberg')
  await page.keyboard.press('ArrowDown')
  letGo()
  await expect(list(page)).toBeFocused()
  await expect(cursor(page)).toHaveAttribute('aria-posinset', '1')
  // A Sjöberg has it too, and may be the oldest.
  await expect(cursor(page)).toContainText(/öberg/i)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/lead=/)
})

test('while the answer is on its way old rows are dimmed and keys do nothing', { tag: '@full' }, async ({ page }) => {
  await open(page, '/declarations?sort=createdAt')
  await page.keyboard.press('ArrowDown')
  await expect(cursor(page)).toBeVisible()
  const decided: string[] = []
  page.on('request', (request) => request.url().includes('/api/triage') && decided.push(request.url()))
  const letGo = await holdAnswers(page)
  await typeSearch(page, 'öberg')
  await expect(list(page)).toHaveAttribute('aria-busy', 'true')
  await expect(list(page).locator('> div')).toHaveCSS('opacity', '0.5')
  await list(page).focus()
  await page.keyboard.press('e')
  letGo()
  await expect(list(page)).toHaveAttribute('aria-busy', 'false')
  await expect(list(page).locator('> div')).toHaveCSS('opacity', '1')
  expect(decided).toEqual([])
})

test('a search sorts by match; newest first is in the address', { tag: '@full' }, async ({ page }) => {
  const sort = async (before: string, chosen: string) => {
    await openFilter(page, 'Sortering')
    await expect(page.getByRole('radio', { name: before })).toBeChecked()
    await page.getByRole('radio', { name: chosen }).click()
  }
  await open(page, '/declarations')
  await searchFor(page, 'asa')
  await sort('Bäst träff först', 'Nyast först')
  await expect(page).toHaveURL(/sort=-createdAt/)
  expect(page.url()).not.toContain('asa')
  await sort('Nyast först', 'Bäst träff först')
  await expect(page).not.toHaveURL(/sort=/)
})
