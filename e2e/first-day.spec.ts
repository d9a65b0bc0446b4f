import {
  admin,
  bootstrapAdmin,
  CONNECTED,
  expect,
  expectAccessible,
  expectToFit,
  open,
  PHONE,
  read,
  staff,
  test,
} from './fixtures'
import { totalOf } from './leads'

test.describe('of a service just connected', () => {
  test.use({ baseURL: CONNECTED, as: bootstrapAdmin })

  test('an administrator is welcomed, once, with what it has and what would be work', async ({
    page,
    context: { request },
  }) => {
    await page.goto('/')
    await expect(page).toHaveURL(`${CONNECTED}/welcome`)
    await expect(page.getByText('localhost:4120')).toBeVisible()
    // All that came before today is earlier, and nothing of it waits.
    const today = page.getByRole('radio', { name: /Från i dag/ })
    await expect(today).toBeChecked()
    const total = await totalOf(request, 'declarations-of-interest', '')
    await expect(page.locator('#content').getByText(total.toLocaleString('sv-SE'), { exact: true })).toBeVisible()
    await expect(page.getByText(/\d tidigare$/).first()).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Gör det senare' }).click()
    await expect(page).toHaveURL(`${CONNECTED}/today`)
    await expect.poll(async () => (await read(request, '/api/preferences/welcome')).value).toEqual({ seen: true })
    await page.goto('/')
    await expect(page).toHaveURL(`${CONNECTED}/today`)
  })
})

test.describe('of the work', () => {
  test.use({ as: admin })
  test('the welcome and the settings fit a phone', { tag: '@full' }, async ({ page }) => {
    await page.setViewportSize(PHONE.viewport)
    for (const path of ['/welcome', '/admin/work']) {
      await open(page, path)
      await expect(page.getByRole('heading', { name: 'Från vilken dag är det arbete?' })).toBeVisible()
      await expectToFit(page)
    }
  })
})

test.describe('for staff', () => {
  test.use({ as: staff })
  test(
    'what waits is one press away, and the rows are as many as the chip says',
    { tag: '@full' },
    async ({ page }) => {
      await open(page, '/questions')
      const chip = page.getByRole('button', { name: /att svara på$/ })
      await chip.click()
      await expect(page).toHaveURL(/waiting=1/)
      await expect(chip).toHaveAttribute('aria-pressed', 'true')
      const total = await totalOf(page.request, 'asked-questions', 'waiting=true')
      await expect(chip).toHaveText(`${total.toLocaleString('sv-SE')} att svara på`)
    },
  )
})
