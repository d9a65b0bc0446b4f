import type { Page } from '@playwright/test'
import { expect, holdBack, joinAs, open, pick, test } from './fixtures'
import { cursor, declarations, openLeadId, search, typeSearch } from './leads'

const list = (page: Page) => page.getByRole('listbox')
const holdAnswers = (page: Page) => holdBack(page, /\/api\/declarations-of-interest\?.*q=/)

test.use({ as: 'staff' })

test('Enter opens the first hit of the whole text, however late the answer', async ({ page }) => {
  await open(page, '/declarations')
  const letGo = await holdAnswers(page)
  await typeSearch(page, 'asa oberg')
  await page.keyboard.press('Enter')
  letGo()
  await expect(page).toHaveURL(/lead=/)
  expect(openLeadId(page)).toBe((await declarations(page.request, 'q=asa%20oberg&limit=1'))[0]?.id)
  await expect(cursor(page)).toContainText('Åsa Öberg')
  await expect(list(page)).toBeFocused()
})

test('arrows lead to the rows, which take no key until they are found', { tag: '@full' }, async ({ page }) => {
  await open(page, '/declarations?sort=createdAt')
  const decisions: string[] = []
  page.on('request', (request) => request.url().includes('/api/triage') && decisions.push(request.url()))
  const letGo = await holdAnswers(page)
  await typeSearch(page, 'öberg')
  await expect(list(page)).toHaveAttribute('aria-busy', 'true')
  await list(page).focus()
  await page.keyboard.press('e')
  await search(page).focus()
  await page.keyboard.press('ArrowDown')
  letGo()
  await expect(list(page)).toHaveAttribute('aria-busy', 'false')
  expect(decisions).toEqual([])
  await expect(list(page)).toBeFocused()
  await expect(cursor(page)).toHaveAttribute('aria-posinset', '1')
  // A Sjöberg has it too, and may be the oldest.
  await expect(cursor(page)).toContainText(/[öo]berg/i)
})

test('the palette finds people and leads, and marks what matched', { tag: '@full' }, async ({ page }) => {
  const all = await declarations(page.request, 'limit=200')
  const { user, contactId } = pick(all, ({ user: { firstName, lastName, email } }) =>
    Boolean(firstName && lastName && email),
  )
  const field = page.getByRole('combobox')
  const group = (title: string) => page.getByRole('group', { name: title })
  await open(page, '/declarations')
  await page.keyboard.press('Control+k')
  await field.fill(`${user.firstName} ${user.lastName}`)
  await expect(group('Personer').getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await expect(group('Personer').locator('mark').first()).toBeVisible()
  await expect(group('Intresseanmälningar').getByRole('option').first()).toBeVisible()
  await field.fill('öppet hus')
  await expect(group('Frågor').locator('mark').first()).toBeVisible()
  await field.fill(user.email ?? '')
  await expect(group('Personer').getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/contacts/${encodeURIComponent(contactId)}`))

  await page.keyboard.press('Control+k')
  await field.fill('anna')
  await page.getByRole('option', { name: /Sök i Frågor efter/ }).click()
  await expect(page, 'not in the address').toHaveURL(/\/questions$/)
  await expect(search(page)).toHaveValue('anna')
})

test('the palette finds commands for a manager, but no person', async ({ page, context }) => {
  await joinAs(context, 'manager')
  await open(page, '/interest')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Kommandon' }).fill('åsa öberg')
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText('Inga träffar')
  expect(asked.filter((url) => /asked-questions|declarations-of-interest/.test(url))).toEqual([])
})
