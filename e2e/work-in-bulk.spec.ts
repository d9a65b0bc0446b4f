import { expect, expectAccessible, nextStart, open, test, yesterday } from './fixtures'
import { markedBar, openList } from './leads'

test.use({ as: 'admin' })

test('a range includes rows that were never on screen, and survives scrolling', async ({ page }) => {
  await openList(page, `/declarations?year=${nextStart}&to=${yesterday}`)
  await page.locator('#row-2 [data-mark]').click()
  const list = page.getByRole('listbox')
  await list.evaluate((element) => element.scrollTo({ top: 700 * 58 }))
  await page.locator('[role=option][aria-posinset="703"]').click({ modifiers: ['Shift'] })
  await expect(markedBar(page)).toContainText('701 markerade')
  await list.evaluate((element) => element.scrollTo({ top: 0 }))
  await expect(page.locator('#row-2')).toBeChecked()
  await expect(page.locator('#row-1')).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expect(markedBar(page)).toBeHidden()
})

test('marked leads are assigned, and the notice stands above their bar', async ({ page }) => {
  await open(page, `/declarations?year=${nextStart + 1}&to=${yesterday}&sort=name`)
  const assignee = page.locator('#row-4').getByRole('img', { name: /^Ansvarig:/ })
  for (const row of [4, 5]) await page.locator(`#row-${row} [data-mark]`).click()
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: 'Välj ansvarig för 2 ärenden' })
  await expect(dialog).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button').filter({ hasText: 'du' }).click()
  await expect(assignee).toBeVisible()
  const undo = page.getByRole('region', { name: 'Meddelanden' }).getByRole('button', { name: 'Ångra' })
  await expect(async () => {
    const [notice, bar] = await Promise.all([undo.boundingBox(), markedBar(page).boundingBox()])
    expect((notice?.y ?? Infinity) + (notice?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
  }).toPass()
  await undo.click()
  await expect(assignee).toBeHidden()
})

test('the marked leads are exported alone, in the order of the list', async ({ page }) => {
  await open(page, `/declarations?year=${nextStart + 1}&to=${yesterday}&sort=name`)
  const dialog = page.getByRole('dialog')
  for (const row of [1, 6]) await page.locator(`#row-${row} [data-mark]`).click()
  await markedBar(page).getByRole('button', { name: 'Exportera' }).click()
  await expect(dialog.getByRole('heading', { level: 2 })).toHaveText(/^Exportera 2 /)
  await dialog.getByLabel('Syfte').selectOption({ label: 'Statistik' })
  const sent = page.waitForRequest('**/api/exports')
  await dialog.getByRole('button', { name: 'Exportera 2' }).click()
  expect((await sent).postDataJSON()).toMatchObject({ sort: 'name', expectedCount: 2 })
})
