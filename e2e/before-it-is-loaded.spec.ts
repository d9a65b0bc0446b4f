import type { Page } from '@playwright/test'
import { awake, expect, headers, holdBack, newUser, open, signIn, test } from './fixtures'
import { openList, press, rows } from './leads'

const NOTHING_ON = '/questions?from=1999-01-01&to=1999-01-02'

const views = (page: Page) => page.getByRole('region', { name: 'Vyer' })
const noViews = (page: Page) => page.getByText('Spara en filtrerad lista hit.')
const pick = (page: Page) => page.getByText('Välj ett ärende, eller tryck')

test.beforeEach(async ({ page }) => {
  await signIn(page.request, await newUser(page.request))
})

test(
  'the menu says that there are no views once it knows, or that it cannot',
  { tag: '@full' },
  async ({ page, allowError }) => {
    allowError(/400/)
    const letViewsIn = await holdBack(page, '**/api/views')
    await open(page, '/questions')
    await expect(views(page)).toBeVisible()
    await expect(noViews(page)).toHaveCount(0)
    letViewsIn()
    await expect(noViews(page)).toBeVisible()
    const view = { name: 'Nya i dag', list: 'asked-questions', query: { status: ['new'] }, shared: false }
    expect((await page.request.post('/api/views', { headers, data: view })).ok()).toBe(true)
    await page.unrouteAll()
    await page.route('**/api/views', (route) => route.fulfill({ status: 400, json: { error: 'no' } }))
    await page.reload()
    await expect(views(page).getByText('Det gick inte att hämta.')).toBeVisible()
    await expect(noViews(page)).toHaveCount(0)
    await page.unrouteAll()
    await views(page).getByRole('button', { name: 'Försök igen' }).click()
    await expect(views(page).getByRole('link', { name: /^Nya i dag/ })).toBeVisible()
    await expect(noViews(page)).toHaveCount(0)
  },
)

test(
  'the hint to choose a lead stands beside a list that has some, once the first is closed, and no other',
  { tag: '@full' },
  async ({ page, allowError }) => {
    allowError(/400/)
    await openList(page, '/questions')
    await page.keyboard.press('Escape')
    await expect(pick(page)).toBeVisible()
    await open(page, NOTHING_ON)
    await expect(page.getByText('Inga träffar', { exact: true })).toBeVisible()
    await expect(pick(page)).toHaveCount(0)
    await page.route('**/api/asked-questions?*', (route) => route.fulfill({ status: 400, json: { error: 'no' } }))
    await press(page, 'c')
    await expect(page.getByText('Listan gick inte att hämta')).toBeVisible()
    await expect(pick(page)).toHaveCount(0)
  },
)

test('an empty list is not called empty while what is asked now is on its way', { tag: '@full' }, async ({ page }) => {
  await open(page, NOTHING_ON)
  const nothing = page.getByText('Inga träffar')
  await expect(nothing).toBeVisible()
  const letRowsIn = await holdBack(page, '**/api/asked-questions?*')
  await press(page, 'c')
  await expect(page).not.toHaveURL(/from=/)
  await expect(nothing).toHaveCount(0)
  await expect(page.locator('.list-pane').getByText('Hämtar …')).toBeAttached()
  letRowsIn()
  await expect(rows(page).first()).toBeVisible()
})

test('a school that is being fetched has no id for its name', { tag: '@full' }, async ({ page }) => {
  const { highSchools } = await (await page.request.get('/api/high-schools')).json()
  const ids = new Set(highSchools.map(({ id }: { id: string }) => id))
  const letSchoolsIn = await holdBack(page, '**/api/high-schools')
  for (const path of ['/today', '/declarations', '/queue/waiting']) {
    await page.goto(path)
    await awake(page)
    const words = await page.locator('body').innerText()
    expect(
      words.split(/[\s·,]+/).filter((word) => ids.has(word)),
      path,
    ).toEqual([])
  }
  letSchoolsIn()
})
