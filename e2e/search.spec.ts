import type { APIRequestContext, Page } from '@playwright/test'
import type { DeclarationsPage } from '@/lib/contract/lead'
import { atRest, expect, holdBack, open, read, staff, test } from './fixtures'
import { cursor, openLeadId, press, rows, search, typeSearch } from './leads'

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
  await press(page, 'ArrowDown')
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
