import { ready, daysAgo, expect, expectAccessible, nextStart, open, test } from './fixtures'
import { openFilter, rows, search, typeSearch } from './leads'

test.use({ as: 'staff' })

test('a view keeps filters, order and search', async ({ page }) => {
  // She is invented for this year.
  await open(page, '/declarations?status=new&year=2027&sort=name')
  await typeSearch(page, 'asa oberg')
  await expect(rows(page).first()).toContainText('Åsa Öberg')
  await openFilter(page, 'Spara som vy')
  await page.getByRole('textbox', { name: 'Namn' }).fill('Alla Öberg')
  await expect(page.getByText('syns för alla som har tillgång till samma skolor som du')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Spara', exact: true }).click()
  const view = page.getByRole('link', { name: /^Alla Öberg/ })
  await expect(view).toHaveAttribute('aria-current', 'page')
  await expect(view).toContainText(/\d/)

  await page.locator('a.nav-side[href^="/questions"]').click()
  await expect(page).toHaveURL(/\/questions/)
  await expect(search(page)).toHaveValue('')
  await view.click()
  await expect(page).toHaveURL(/\/declarations\?.*sort=name/)
  await expect(search(page)).toHaveValue('asa oberg')
  await expect(rows(page).first()).toContainText('Åsa Öberg')
  expect(page.url()).not.toContain('oberg')
  await page.reload()
  await ready(page)
  await expect(search(page)).toHaveValue('asa oberg')
  await expect(view).toHaveAttribute('aria-current', 'page')

  await view.hover()
  await page.getByRole('button', { name: 'Ta bort vyn Alla Öberg' }).click()
  await expect(view).toBeHidden()
})

test('a filter says how many leads each choice would show, and shows exactly so many', async ({ page }) => {
  await open(page, `/questions?to=${daysAgo(300)}`)
  await openFilter(page, 'Frågan gäller')
  const choice = page.locator('label', { hasText: 'Resor och boende' })
  await expect(choice).toContainText(/\d/)
  const said = ((await choice.textContent()) ?? '').replace(/\D/g, '')
  await choice.click()
  await expect(page).toHaveURL(/topic=transport/)
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', said)
})

const MANY =
  'assignee=me&assignee=none&status=new&status=in-progress&from=2026-01-01&to=2026-12-31&answered=0&followUp=0'

test('the filters are one line with any values, on a desk and a phone', async ({ page }) => {
  const line = page.locator('main header fieldset').first()
  for (const [path, set] of [
    ['/declarations', 0],
    [`/questions?mode=phone&${MANY}`, 6],
    [`/declarations?year=${nextStart}&${MANY}`, 6],
  ] as const) {
    await open(page, path)
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 720 })
      // The chips come a moment after the line.
      await expect(async () => {
        await expect(line.locator('[data-prints]')).toHaveCount(set, { timeout: 500 })
        expect((await line.boundingBox())?.height, path).toBeLessThanOrEqual(46)
        expect(await line.evaluate((box) => box.scrollWidth - box.clientWidth), path).toBeLessThanOrEqual(0)
      }).toPass()
    }
  }
})

test('the filters open by key, one after the other', { tag: '@full' }, async ({ page }) => {
  await open(page, '/questions')
  await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter')
  const filters = page.getByRole('dialog', { name: 'Filter' })
  const row = (name: string) => filters.getByRole('button', { name })
  await expect(row('Ansvarig')).toBeFocused()
  await expectAccessible(page)
  await row('Status').press('Enter')
  await expect(filters.getByRole('button', { name: /Status$/ })).toBeFocused()
  await filters.getByRole('checkbox', { name: 'Påminnelse i dag' }).press('Space')
  await expect(page).toHaveURL(/followUp=1/)
  await expectAccessible(page)
  await filters.getByRole('button', { name: /Status$/ }).press('Enter')
  await expect(row('Status')).toBeFocused()
  await expect(row('Status')).toContainText('Påminnelse i dag')
})
