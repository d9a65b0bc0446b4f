import type { Page } from '@playwright/test'
import { expect, headers, holdBack, joinAsNew, open, test } from './fixtures'
import { press, rows } from './leads'

const NOTHING_ON = '/questions?school=norra-gymnasiet&from=1999-01-01&to=1999-01-02'

const nothing = (page: Page) => page.getByText('Inga träffar', { exact: true })

test.beforeEach(async ({ page, allowError }) => {
  allowError(/400/)
  await joinAsNew(page)
})

test('the menu says that there are no views once it knows, or that it cannot', { tag: '@full' }, async ({ page }) => {
  const views = page.getByRole('region', { name: 'Vyer' })
  const noViews = views.getByText('Spara en filtrerad lista hit.')
  const letViewsIn = await holdBack(page, '**/api/views')
  await open(page, '/questions')
  await expect(views).toBeVisible()
  await expect(noViews).toHaveCount(0)
  letViewsIn()
  await expect(noViews).toBeVisible()
  const view = { name: 'Nya i dag', list: 'asked-questions', query: { status: ['new'] }, shared: false }
  expect((await page.request.post('/api/views', { headers, data: view })).ok()).toBe(true)
  await page.route('**/api/views', (route) => route.fulfill({ status: 400, json: { error: 'no' } }))
  await page.reload()
  await expect(views.getByText('Det gick inte att hämta.')).toBeVisible()
  await expect(noViews).toHaveCount(0)
  await page.unrouteAll()
  await views.getByRole('button', { name: 'Försök igen' }).click()
  await expect(views.getByRole('link', { name: /^Nya i dag/ })).toBeVisible()
})

test(
  'a list is called empty neither while it is on its way nor when it cannot be fetched',
  { tag: '@full' },
  async ({ page }) => {
    const letRowsIn = await holdBack(page, /\/api\/asked-questions\?(?!.*from=)/)
    await open(page, NOTHING_ON)
    await expect(nothing(page)).toBeVisible()
    await press(page, 'c')
    await expect(page).not.toHaveURL(/from=/)
    await expect(page, 'the school is chosen for every screen').toHaveURL(/school=norra-gymnasiet/)
    await expect(nothing(page)).toHaveCount(0)
    await expect(page.locator('.list-pane').getByText('Hämtar …')).toBeAttached()
    letRowsIn()
    await expect(rows(page).first()).toBeVisible()
    await page.route('**/api/asked-questions?*', (route) => route.fulfill({ status: 400, json: { error: 'no' } }))
    await page.getByRole('searchbox').fill('buss')
    await expect(page.getByText('Listan gick inte att hämta')).toBeVisible()
  },
)
