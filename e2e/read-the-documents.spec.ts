import { admin, expect, expectAccessible, open, staff, test } from './fixtures'

const heading = { level: 1 } as const

test.describe('an administrator', () => {
  test.use({ as: admin })

  test('finds the documents beside the status', { tag: '@full' }, async ({ page }) => {
    await open(page, '/admin/status')
    await page.getByRole('link', { name: 'Så hanteras personuppgifter' }).click()
    await expect(page.getByRole('heading', { ...heading, name: 'Så hanteras personuppgifter' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Registerförteckning (artikel 30)' })).toBeVisible()
    await expect(page.getByRole('cell', { name: 'Anteckningar, krypterade' })).toBeVisible()
    // No comments, no Markdown.
    const text = await page.getByRole('article').innerText()
    expect(text).not.toMatch(/<!--|\*\*|\| |^#/m)
    await page.getByRole('link', { name: 'Den registrerades rättigheter' }).click()
    await expect(page.getByRole('heading', { name: 'Den registrerades rättigheter' })).toBeInViewport()

    await page.getByRole('link', { name: 'Så skyddas uppgifterna' }).click()
    await expect(page.getByRole('heading', { ...heading, name: 'Så skyddas uppgifterna' })).toBeVisible()
    await expect(page.getByText('Dokumentet finns bara på engelska.')).toBeVisible()
    await expect(page.getByRole('article', { name: 'Security' })).toHaveAttribute('lang', 'en')
    await expect(page.getByRole('heading', { name: 'Threat model' })).toBeVisible()
  })

  test.describe('in English', () => {
    test.use({ locale: 'en-GB' })
    test('reads it in English', { tag: '@full' }, async ({ page }) => {
      await open(page, '/admin/privacy')
      await expect(page.getByRole('heading', { name: 'Record of processing (article 30)' })).toBeVisible()
    })
  })
})

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
