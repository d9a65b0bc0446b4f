import { expect, open, test } from './fixtures'

test.use({ as: 'staff' })

test('staff find help from the keys and the account menu, with its pictures', { tag: '@full' }, async ({ page }) => {
  await open(page, '/declarations')
  await page.keyboard.press('?')
  await page.getByRole('link', { name: 'Läs mer i hjälpen' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hjälp' })).toBeVisible()
  const picture = page.getByRole('img', { name: /^Inkorgen/ })
  await picture.scrollIntoViewIfNeeded()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(1000)
  await page.getByRole('link', { name: 'Ta ut en fil' }).click()
  await expect(page.getByRole('heading', { name: 'Ta ut en fil' })).toBeInViewport()
})
