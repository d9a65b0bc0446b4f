import type { Page } from '@playwright/test'
import {
  admin,
  daysAgo,
  downloaded,
  expect,
  headers,
  joinAs,
  manager,
  nextStart,
  open,
  read,
  staff,
  test,
} from './fixtures'

test.use({ as: manager })

const title = (page: Page) => page.getByRole('heading', { level: 1 })
const fileOf = (page: Page, chart: string, file: string) =>
  downloaded(page, async () => {
    await page.getByRole('button', { name: `Ladda ner ${chart}`, exact: true }).click()
    await page.getByRole('menuitem', { name: file }).click()
  })

test('a manager gets no name, address or phone', async ({ page, request }) => {
  const bearer = { authorization: 'Bearer demo', 'accept-encoding': 'identity' }
  const answer = await request.get('/external/conversions/declarationsOfInterest', { headers: bearer })
  const { declarationsOfInterest } = await answer.json()
  const bodies: Promise<string>[] = []
  page.on('response', (response) => {
    if (/json|html|x-component/.test(response.headers()['content-type'] ?? ''))
      bodies.push(response.text().catch(() => ''))
  })
  await open(page, `/interest?from=${daysAgo(50)}`)
  await expect(title(page)).toBeVisible()
  const text = (await Promise.all(bodies)).join('\n')
  type Declaration = { id: string; user: Record<'email' | 'phone', string> }
  const people = declarationsOfInterest
    .slice(0, 2000)
    .flatMap(({ id, user }: Declaration) => [user.email, user.phone, id])
  expect(people.filter((one: string) => one && one.length > 6 && text.includes(one))).toEqual([])
  expect(text).not.toContain('@example')
})

test('a manager chooses cohort and unit, and the address keeps it', async ({ page }) => {
  await open(page, '/interest')
  await page.getByRole('button', { name: /^Startår: / }).click()
  await page.getByRole('menuitemradio', { name: String(nextStart - 1) }).click()
  await expect(title(page)).toHaveText(`Intresse inför hösten ${nextStart - 1}`)
  const people = page.getByRole('button', { name: 'Personer', exact: true })
  await people.click()
  await expect(page).toHaveURL(new RegExp(`cohort=${nextStart - 1}.*unit=people`))
  await page.reload()
  await expect(title(page)).toHaveText(`Intresse inför hösten ${nextStart - 1}`)
  await expect(people).toHaveAttribute('aria-pressed', 'true')
})

test('every number of a manager is rounded, and the page says so', async ({ page, context }) => {
  const answer = await read(context.request, '/api/interest')
  type Cell = { highSchoolId: string; declarations: number | '<5' }
  const { highSchoolId } = answer.byYearAndSchool.find(({ declarations }: Cell) => declarations === '<5')
  const rule = page.getByRole('main').getByText('Avrundat till närmaste femtal; färre än fem visas som <5')
  const exact = (numbers: string[]) => numbers.filter((text) => !/^(?:<5|[\d\s]*[05])$/.test(text))
  const table = page.getByRole('region', { name: /per skola och startår/ })
  const numbers = () => table.getByRole('cell').allTextContents()
  for (const path of [`/interest?school=${highSchoolId}`, '/interest', '/interest?unit=people']) {
    await open(page, path)
    await expect(rule).toBeVisible()
    await expect.poll(numbers).toContain('<5')
    expect(exact(await numbers())).toEqual([])
    await expect(table.getByRole('img', { name: 'färre än 5' }).first()).toBeVisible()
  }
  const { text } = await fileOf(page, 'Per vecka', 'Tabell (CSV)')
  const weeks = text.trim().split('\r\n').slice(1)
  expect(weeks.length).toBeGreaterThan(50)
  expect(exact(weeks.flatMap((row) => row.split(';').slice(2)))).toEqual([])
  await joinAs(context, admin)
  for (const path of ['/interest', `/interest?school=${highSchoolId}`]) {
    await open(page, path)
    await expect.poll(async () => exact(await numbers())).not.toEqual([])
    await expect(rule).toBeHidden()
  }
})

test('a manager chooses whole weeks and months, never days', async ({ page, context }) => {
  await open(page, '/interest')
  const period = page.getByRole('button', { name: /^Period: / })
  await period.click()
  const from = page.getByLabel('Från och med')
  await expect(from.locator('optgroup')).toHaveCount(2)
  await expect(page.locator('input[type=date]')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Senaste/ })).toHaveCount(0)
  const monday = (await from.locator('optgroup[label=Veckor] option').nth(2).getAttribute('value')) ?? ''
  await from.selectOption(monday)
  await expect(page).toHaveURL(new RegExp(`from=${monday}`))
  await expect(page.getByText(/^Perioden /)).toBeVisible()
  const { answers } = await read(context.request, `/api/interest?from=${daysAgo(9)}&to=${daysAgo(9)}`)
  const shown = async (first: string, last: string) => {
    await open(page, `/interest?from=${first}&to=${last}`)
    return period.textContent()
  }
  expect(await shown(daysAgo(9), daysAgo(9)), 'what is counted').toBe(await shown(answers.from, answers.to))
})

test('a chart is read point by point with the keys, and is a table and a file', { tag: '@full' }, async ({ page }) => {
  await open(page, '/interest')
  const chart = page.getByRole('slider', { name: 'Per vecka' })
  await chart.focus()
  const last = (await chart.getAttribute('aria-valuetext')) ?? ''
  await page.keyboard.press('ArrowLeft')
  await expect(chart).not.toHaveAttribute('aria-valuetext', last)
  await page.keyboard.press('End')
  await expect(chart).toHaveAttribute('aria-valuetext', last)

  const csv = await fileOf(page, 'Startår och skola', 'Tabell (CSV)')
  expect(csv.name).toMatch(/^startar-skola-\d{4}-\d{4}-\d\d-\d\d\.csv$/)
  expect(csv.text).toMatch(/^\u{feff}Skola;\d{4};/u)
  expect(csv.text.split('\r\n')).toHaveLength(1 + 1 + 5 + 1)
  expect((await fileOf(page, 'Vill ha svar via', 'Bild (PNG)')).name).toMatch(/\.png$/)
})

test('an administrator sets the admission calendar', async ({ page, context: { request } }) => {
  await joinAs(page.context(), admin)
  const usual = await read(request, '/api/admission-cycle')
  await open(page, '/admin/cycle')
  try {
    await page.getByLabel('Slutantagning: dag').selectOption('3')
    await page.getByRole('button', { name: 'Spara' }).click()
    await expect(page.getByText('Kalendern är sparad')).toBeVisible()
    expect(await read(request, '/api/admission-cycle')).toEqual({ ...usual, final: '07-03' })
  } finally {
    await request.put('/api/admission-cycle', { headers, data: usual })
  }
})

const A4 = { width: 703, height: 1032 }

test.describe('on paper', () => {
  test('there is the page alone', { tag: '@full' }, async ({ page }) => {
    await open(page, '/interest')
    await page.emulateMedia({ media: 'print' })
    await expect(title(page)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Intresse per år' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Skriv ut' })).toBeHidden()
    expect(await page.getByRole('main').evaluate((main) => main.scrollHeight - main.clientHeight)).toBe(0)
  })

  test('letters have one size, and no sheet is empty', { tag: '@full' }, async ({ page }) => {
    await open(page, '/interest')
    await expect(page.getByRole('main').locator('svg[data-picture]').first()).toBeVisible()
    const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b/g)
    await page.setViewportSize(A4)
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    const main = page.getByRole('main')
    const height = await main.evaluate(({ scrollHeight }) => scrollHeight)
    expect(sheets).toHaveLength(Math.ceil(height / A4.height))
    const heights = await main
      .locator('svg[data-picture] text:visible')
      .evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().height))
    expect(heights.length).toBeGreaterThan(20)
    expect(Math.max(...heights)).toBeLessThan(18)
  })

  test.describe('a list', () => {
    test.use({ as: staff })
    const onPaper = async (page: Page) => {
      await page.setViewportSize(A4)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    }

    test('has the rows on screen, without buttons', { tag: '@full' }, async ({ page }) => {
      await open(page, '/declarations?status=new')
      await onPaper(page)
      await expect(title(page)).toBeVisible()
      await expect(page.getByRole('button', { name: 'Ta bort filtret Status: Ny' })).toBeVisible()
      for (const name of ['Mer om listan', 'Filter'])
        await expect(page.getByRole('button', { name, exact: true })).toBeHidden()
      const [first = 0, second = 0] = await page
        .getByRole('option')
        .evaluateAll((all) => all.slice(0, 2).map((row) => row.getBoundingClientRect().top))
      expect(second - first).toBeGreaterThan(20)
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(6 * A4.height)
    })

    test('is not printed with an open lead', { tag: '@full' }, async ({ page }) => {
      await open(page, '/declarations')
      await page.getByRole('option').nth(1).click()
      const name = page.getByRole('heading', { level: 2 })
      await expect(name).toBeVisible()
      await onPaper(page)
      await expect(name).toBeVisible()
      await expect(page.getByRole('option').first()).toBeHidden()
      expect((await name.boundingBox())?.y).toBeLessThan(150)
      await expect(page.getByRole('button', { name: 'Kopiera e-postadressen' })).toBeHidden()
      await expect(page.getByRole('textbox', { name: 'Skriv en anteckning' })).toBeHidden()
    })
  })
})
