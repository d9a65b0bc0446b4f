import { changeAnswers, expect, expectAccessible, open, staff, test, yesterday } from './fixtures'
import { declarations, openFilter } from './leads'

test.use({ as: staff })

test('leads since the last visit are set apart, and shown alone by one press', async ({ page }) => {
  const freshSince = (await declarations(page.request, `limit=4&to=${yesterday}`))[3]?.createdAt
  await changeAnswers(page, '**/api/list-counts', (counts: object) => ({ ...counts, fresh: 3, freshSince }))
  await open(page, `/declarations?status=new&to=${yesterday}`)
  await page.getByRole('button', { name: 'Ta bort filtret Status: Ny' }).click()
  const list = page.getByRole('listbox')
  await expect(list.getByText(/^Nytt sedan /)).toBeVisible()
  const places = [list.getByText('Tidigare', { exact: true }), page.locator('#row-2'), page.locator('#row-3')]
  await expect(async () => {
    const [heading, last, first] = await Promise.all(places.map((place) => place.boundingBox()))
    expect(heading?.y).toBeGreaterThan(last?.y ?? Infinity)
    expect(heading?.y).toBeLessThan(first?.y ?? 0)
  }).toPass({ timeout: 10_000 })
  await expectAccessible(page)
  await openFilter(page, 'Status')
  await page.getByRole('checkbox', { name: /^Nytt sedan sist\s*3$/ }).check()
  await expect(page).toHaveURL(/fresh=1/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Ta bort filtret Nytt sedan sist' })).toBeVisible()
  await page.goBack()
  await expect(list.getByText(/^Nytt sedan /)).toBeVisible()
})
