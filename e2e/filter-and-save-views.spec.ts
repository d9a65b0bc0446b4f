import type { Page } from '@playwright/test'
import { admin, awake, comeIn, daysAgo, expect, expectAccessible, nextStart, open, rows, staff, test } from './fixtures'

const search = (page: Page) => page.getByRole('searchbox')

test('a view keeps filters, order and search under a name, and gives them back', async ({ page, context }) => {
  await comeIn(context, staff)
  // She is invented for this year, whenever it is.
  await open(page, '/declarations?status=new&year=2027&sort=name')
  await page.keyboard.press('/')
  await page.keyboard.type('asa oberg')
  await expect(rows(page).first()).toContainText('Åsa Öberg')
  await page.getByRole('button', { name: 'Spara vy' }).click()
  await page.getByRole('textbox', { name: 'Namn' }).fill('Alla Öberg')
  await expect(page.getByText('syns för alla som ser samma skolor som du')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Spara', exact: true }).click()
  const view = page.getByRole('link', { name: /^Alla Öberg/ })
  await expect(view).toHaveAttribute('aria-current', 'page')
  await expect(view).toContainText(/\d/)

  await page.locator('a.nav-side[href="/questions"]').click()
  await expect(page).toHaveURL(/\/questions/)
  await expect(search(page)).toHaveValue('')
  await view.click()
  await expect(page).toHaveURL(/\/declarations\?.*sort=name/)
  await expect(search(page)).toHaveValue('asa oberg')
  await expect(rows(page).first()).toContainText('Åsa Öberg')
  expect(page.url()).not.toContain('oberg')
  await page.reload()
  await awake(page)
  await expect(search(page)).toHaveValue('asa oberg')
  await expect(view).toHaveAttribute('aria-current', 'page')
  await page.goBack()
  await expect(page).toHaveURL(/\/questions/)
  await expect(search(page)).toHaveValue('')

  await view.hover()
  await page.getByRole('button', { name: 'Ta bort vyn Alla Öberg' }).click()
  await expect(view).toBeHidden()
})

test('every filter says how many leads each choice would show, and shows exactly so many', async ({
  page,
  context,
}) => {
  await comeIn(context, admin)
  await open(page, `/declarations?to=${daysAgo(300)}`)
  await page.getByRole('button', { name: 'Skola', exact: true }).click()
  const choice = page.locator('label', { hasText: 'Södra Gymnasiet' })
  await expect(choice).toContainText(/\d/)
  const said = ((await choice.textContent()) ?? '').replace(/\D/g, '')
  await choice.click()
  await expect(page).toHaveURL(/school=/)
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', said)
})

test(
  'start years that cannot be right are one choice, with the leads of them all',
  { tag: '@full' },
  async ({ page, context }) => {
    await comeIn(context, admin)
    await open(page, '/declarations')
    await page.getByRole('button', { name: 'Startår', exact: true }).click()
    const choices = page.getByRole('group', { name: 'Startår' }).locator('label')
    const other = choices.filter({ hasText: 'Annat år' })
    await expect(other).toContainText(/\d/)
    const boxes = choices.getByRole('checkbox')
    const names = await boxes.evaluateAll((all) => all.map((box) => box.nextElementSibling?.textContent ?? ''))
    const thisYear = new Date().getFullYear()
    const years = names.filter((name) => name !== 'Annat år').map(Number)
    expect(years.length).toBeGreaterThan(4)
    expect(years.filter((year) => !(Math.abs(year - thisYear) <= 5))).toEqual([])
    const said = ((await other.textContent()) ?? '').replace(/\D/g, '')
    await other.click()
    await expect(rows(page).first()).toHaveAttribute('aria-setsize', said)
    await expect(page.getByRole('button', { name: 'Startår: Annat år' })).toBeVisible()
  },
)

test('a filter says its counts beside its choices, never on the chip', { tag: '@full' }, async ({ page, context }) => {
  await comeIn(context, admin)
  await open(page, `/declarations?status=new&year=${nextStart}`)
  await expect(page.getByRole('button', { name: 'Status: Ny', exact: true })).toHaveText('Ny')
  await expect(page.getByRole('button', { name: `Startår: Startår ${nextStart}`, exact: true })).toHaveText(
    `Startår ${nextStart}`,
  )
})

for (const [locale, width] of [
  ['sv-SE', 1000],
  ['sv-SE', 1440],
  ['en-GB', 1000],
  ['en-GB', 1440],
] as const) {
  test.describe(`the filters in ${locale} at ${width} px`, () => {
    test.use({ locale, viewport: { width, height: 800 } })
    test(
      'none stands alone on a line',
      { tag: locale === 'sv-SE' && width === 1440 ? [] : '@full' },
      async ({ page, context }) => {
        await comeIn(context, staff)
        for (const path of ['/declarations', '/questions', `/declarations?status=new&year=${nextStart}`]) {
          await open(page, path)
          const tops = await page
            .locator('fieldset .chip')
            .evaluateAll((chips) => chips.map((chip) => Math.round(chip.getBoundingClientRect().top)))
          expect(tops.length, path).toBeGreaterThan(4)
          const lines = Object.values(Object.groupBy(tops, String)).map((line) => line?.length)
          expect(lines, path).not.toContain(1)
        }
      },
    )
  })
}

test(
  'with nothing in the list there is nothing to export, and the button says so',
  { tag: '@full' },
  async ({ page, context }) => {
    await comeIn(context, staff)
    await open(page, '/declarations?from=2031-01-01')
    const button = page.getByRole('button', { name: 'Exportera', exact: true })
    await expect(button).toBeDisabled()
    await expect(button).toHaveAttribute('title', 'Det finns inget att exportera')
  },
)
