import { admin, comeIn, expect, expectAccessible, expectToFit, open, signIn, staff, test } from './fixtures'

test('an administrator finds what is kept about people, and what protects it, beside the status', async ({
  page,
  context,
}) => {
  await comeIn(context, admin)
  await open(page, '/admin/status')
  await page.getByRole('link', { name: 'Så hanteras personuppgifter' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Så hanteras personuppgifter' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Registerförteckning (artikel 30)' })).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Anteckningar, krypterade' })).toBeVisible()
  // What the document says to its authors only, and how it is written, stay out.
  const text = await page.getByRole('article').innerText()
  expect(text).not.toMatch(/<!--|\*\*|\| |^#/m)
  await page.getByRole('link', { name: 'Den registrerades rättigheter' }).click()
  await expect(page.getByRole('heading', { name: 'Den registrerades rättigheter' })).toBeInViewport()

  await page.getByRole('link', { name: 'Så skyddas uppgifterna' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Så skyddas uppgifterna' })).toBeVisible()
  await expect(page.getByText('Dokumentet finns bara på engelska.')).toBeVisible()
  await expect(page.getByRole('article', { name: 'Security' })).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('heading', { name: 'Threat model' })).toBeVisible()
})

const VARIANTS = [
  {
    name: 'on a desk, light, in Swedish',
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    locale: 'sv-SE',
  },
  { name: 'on a phone, dark, in English', viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'en-GB' },
] as const

for (const { name, ...settings } of VARIANTS) {
  test.describe(name, () => {
    test.use(settings)
    test('they can be read by everyone', { tag: '@full' }, async ({ page, context }) => {
      test.setTimeout(90_000)
      await comeIn(context, admin)
      for (const path of ['/admin/privacy', '/admin/security', '/help'])
        await test.step(path, async () => {
          await open(page, path)
          await expect(page.getByRole('article')).toBeVisible()
          await expectAccessible(page)
          await expectToFit(page)
        })
    })
  })
}

test(
  'whoever looks for help finds it from the keys and the account menu, with its pictures',
  { tag: '@full' },
  async ({ page, context }) => {
    await comeIn(context, staff)
    await open(page, '/declarations')
    await page.keyboard.press('?')
    await page.getByRole('link', { name: 'Läs mer i hjälpen' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Hjälp' })).toBeVisible()
    const picture = page.getByRole('img', { name: /^Inkorgen/ })
    await picture.scrollIntoViewIfNeeded()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(1000)
    await page.getByRole('link', { name: 'Ta ut en fil' }).click()
    await expect(page.getByRole('heading', { name: 'Ta ut en fil' })).toBeInViewport()
  },
)

test('in English it is in English, and staff have no access', async ({ page, context, browser }) => {
  await comeIn(context, staff)
  await open(page, '/admin/privacy')
  await expect(page.getByRole('article')).toHaveCount(0)
  const english = await browser.newContext({ locale: 'en-GB' })
  await signIn(english.request, admin)
  const other = await english.newPage()
  await open(other, '/admin/privacy')
  await expect(other.getByRole('heading', { name: 'Record of processing (article 30)' })).toBeVisible()
  await english.close()
})
