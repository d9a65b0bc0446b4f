import { expect, expectAccessible, open, staff, test } from './fixtures'

const heading = { level: 1 } as const

test.describe('staff', () => {
  test.use({ as: staff })

  test('find a word in the handbook, which defines the four statuses', { tag: '@full' }, async ({ page }) => {
    await open(page, '/help')
    for (const status of ['Ny', 'Påbörjad', 'Hanterad', 'Inte aktuell'])
      await expect(page.getByRole('cell', { name: status, exact: true })).toBeVisible()
    const search = page.getByRole('searchbox', { name: 'Sök i hjälpen' })
    await search.fill('syfte FIL')
    await expect(page.getByText('1 del', { exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Ta ut en fil'])
    await expectAccessible(page)
    await search.fill('finns inte alls')
    await expect(page.getByText('Inget i hjälpen har de orden')).toBeVisible()
    await search.fill('')
    await expect(page.getByRole('heading', { name: 'Svara', exact: true })).toBeVisible()
  })

  test('find help from the keys and the account menu, with its pictures', { tag: '@full' }, async ({ page }) => {
    await open(page, '/declarations')
    await page.keyboard.press('?')
    await page.getByRole('link', { name: 'Läs mer i hjälpen' }).click()
    await expect(page.getByRole('heading', { ...heading, name: 'Hjälp' })).toBeVisible()
    const picture = page.getByRole('img', { name: /^Inkorgen/ })
    await picture.scrollIntoViewIfNeeded()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(1000)
    await page.getByRole('link', { name: 'Ta ut en fil' }).click()
    await expect(page.getByRole('heading', { name: 'Ta ut en fil' })).toBeInViewport()
  })
})
