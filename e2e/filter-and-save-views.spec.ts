import { admin, awake, daysAgo, expect, expectAccessible, nextStart, open, staff, test } from './fixtures'
import { rows, search, typeSearch } from './leads'

test.use({ as: staff })

test('a view keeps filters, order and search', async ({ page }) => {
  // She is invented for this year.
  await open(page, '/declarations?status=new&year=2027&sort=name')
  await typeSearch(page, 'asa oberg')
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

test.describe('what a filter says', () => {
  test.use({ as: admin })

  test('is how many leads each choice would show, and it shows exactly so many', async ({ page }) => {
    await open(page, `/declarations?to=${daysAgo(300)}`)
    await page.getByRole('button', { name: 'Skola', exact: true }).click()
    const choice = page.locator('label', { hasText: 'Södra Gymnasiet' })
    await expect(choice).toContainText(/\d/)
    const said = ((await choice.textContent()) ?? '').replace(/\D/g, '')
    await choice.click()
    await expect(page).toHaveURL(/school=/)
    await expect(rows(page).first()).toHaveAttribute('aria-setsize', said)
  })

  test('of impossible start years is one choice for all', { tag: '@full' }, async ({ page }) => {
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
  })

  test('is beside its choices, never on the chip', { tag: '@full' }, async ({ page }) => {
    await open(page, `/declarations?status=new&year=${nextStart}`)
    for (const [filter, value] of [
      ['Status', 'Ny'],
      ['Startår', `Startår ${nextStart}`],
    ] as const)
      await expect(page.getByRole('button', { name: `${filter}: ${value}`, exact: true })).toHaveText(value)
  })
})

for (const locale of ['sv-SE', 'en-GB'])
  for (const width of [1000, 1440])
    test.describe(`the filters in ${locale} at ${width} px`, () => {
      test.use({ locale, viewport: { width, height: 800 } })
      const tag = locale === 'sv-SE' && width === 1440 ? [] : '@full'
      test('none is alone on a line', { tag }, async ({ page }) => {
        for (const path of ['/declarations', '/questions', `/declarations?status=new&year=${nextStart}`]) {
          await open(page, path)
          const tops = await page
            .locator('fieldset .chip')
            .evaluateAll((chips) => chips.map((chip) => Math.round(chip.getBoundingClientRect().top)))
          expect(tops.length, path).toBeGreaterThan(4)
          const lines = Object.values(Object.groupBy(tops, String)).map((line) => line?.length)
          expect(lines, path).not.toContain(1)
        }
      })
    })

test('with nothing in the list the export says that there is nothing', { tag: '@full' }, async ({ page }) => {
  await open(page, '/declarations?from=2031-01-01')
  const button = page.getByRole('button', { name: 'Exportera', exact: true })
  await expect(button).toBeDisabled()
  await expect(button).toHaveAttribute('title', 'Det finns inget att exportera')
})
