import {
  admin,
  bootstrapAdmin,
  comeIn,
  CONNECTED,
  expect,
  expectAccessible,
  expectToFit,
  open,
  staff,
  test,
} from './fixtures'

test('an administrator of a service just connected is welcomed, once, with what it has and what would be work', async ({
  page,
  context,
}) => {
  await comeIn(context, bootstrapAdmin, CONNECTED)
  await page.goto(`${CONNECTED}/`)
  await expect(page).toHaveURL(`${CONNECTED}/welcome`)
  await expect(page.getByText('localhost:4120')).toBeVisible()
  // All that came before today is earlier, and nothing of it waits.
  const today = page.getByRole('radio', { name: /Från i dag/ })
  await expect(today).toBeChecked()
  const { total } = await (await context.request.get(`${CONNECTED}/api/declarations-of-interest?limit=1`)).json()
  await expect(page.locator('#content').getByText(total.toLocaleString('sv-SE'), { exact: true })).toBeVisible()
  await expect(page.getByText(/\d tidigare$/).first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Gör det senare' }).click()
  await expect(page).toHaveURL(`${CONNECTED}/today`)
  await expect
    .poll(async () => (await (await context.request.get(`${CONNECTED}/api/preferences/welcome`)).json()).value)
    .toEqual({ seen: true })
  await page.goto(`${CONNECTED}/`)
  await expect(page).toHaveURL(`${CONNECTED}/today`)
})

test(
  'the welcome and the settings of the work are for administrators, and fit a phone',
  { tag: '@full' },
  async ({ page, context }) => {
    await comeIn(context, admin)
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of ['/welcome', '/admin/work']) {
      await open(page, path)
      await expect(page.getByRole('heading', { name: 'Från vilken dag är det arbete?' })).toBeVisible()
      await expectToFit(page)
      await expectAccessible(page)
    }
    await comeIn(context, staff)
    await page.goto('/welcome')
    await expect(page.getByRole('heading', { name: 'Från vilken dag är det arbete?' })).toHaveCount(0)
  },
)

test(
  'what waits for an answer is one press away, and the rows are as many as the chip says',
  { tag: '@full' },
  async ({ page, context }) => {
    await comeIn(context, staff)
    await open(page, '/questions')
    const chip = page.getByRole('button', { name: /att svara på$/ })
    await chip.click()
    await expect(page).toHaveURL(/waiting=1/)
    await expect(chip).toHaveAttribute('aria-pressed', 'true')
    const { total } = await (await context.request.get('/api/asked-questions?waiting=true&limit=1')).json()
    await expect(chip).toHaveText(`${total.toLocaleString('sv-SE')} att svara på`)
  },
)
