import { expect, joinAs, manager, open, pick, staff, test } from './fixtures'
import { declarations, search } from './leads'

test.use({ as: staff })

test('the palette finds a person and what was sent, with what matched marked', { tag: '@full' }, async ({ page }) => {
  const all = await declarations(page.request, 'limit=200')
  const { user, contactId } = pick(all, (lead) => lead.user.firstName !== null && lead.user.lastName !== null)
  const name = `${user.firstName} ${user.lastName}`
  await open(page, '/declarations')
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox')
  await field.fill(name)
  const group = (title: string) => page.getByRole('group', { name: title })
  await expect(group('Personer').getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await expect(group('Personer').locator('mark').first()).toBeVisible()
  await expect(group('Intresseanmälningar').getByRole('option').first()).toBeVisible()
  await field.fill('öppet hus')
  await expect(group('Frågor').locator('mark').first()).toBeVisible()

  // Enter before the answer opens the first hit of this text.
  await field.fill(user.email ?? name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/contacts\//)
  if (user.email) await expect(page).toHaveURL(new RegExp(encodeURIComponent(contactId)))
})

test('the palette takes a search to the list, outside the address', { tag: '@full' }, async ({ page }) => {
  await open(page, '/declarations')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('anna')
  await page.getByRole('option', { name: /Sök i Frågor efter/ }).click()
  await expect(page).toHaveURL(/\/questions$/)
  await expect(search(page)).toHaveValue('anna')
})

test('a manager finds commands in the palette, but no person', async ({ page, context }) => {
  await joinAs(context, manager)
  await open(page, '/interest')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Kommandon' }).fill('åsa öberg')
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText('Inga träffar')
  expect(asked.filter((url) => /asked-questions|declarations-of-interest/.test(url))).toEqual([])
})
