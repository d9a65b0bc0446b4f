import type { APIRequestContext, Page } from '@playwright/test'
import {
  type Account,
  admin,
  anotherPerson,
  comeIn,
  daysAgo,
  DEMO,
  expect,
  expectAccessible,
  expectToFit,
  manager,
  nextStart,
  open,
  signIn,
  staff,
  test,
} from './fixtures'

type School = { id: string; name: string }
type Declaration = {
  id: string
  highSchoolId: string
  createdAt: string
  user: Record<'firstName' | 'lastName' | 'email' | 'phone', string> & { highSchoolEnrollmentYear: number }
}

async function external(request: APIRequestContext, path: string) {
  const headers = { authorization: 'Bearer demo', 'accept-encoding': 'identity' }
  const answer = await request.get(`${DEMO}/external/${path}`, { headers })
  return answer.json()
}

test('the numbers follow the schools and the person’s reach', async ({ request, playwright }) => {
  await signIn(request, staff)
  const own: School[] = (await (await request.get('/api/high-schools')).json()).highSchools
  const all = await (await request.get('/api/interest')).json()
  const ids = (answer: { byYearAndSchool: { highSchoolId: string }[] }) =>
    [...new Set(answer.byYearAndSchool.map(({ highSchoolId }) => highSchoolId))].toSorted()
  expect(ids(all)).toEqual(own.map(({ id }) => id).toSorted())
  const one = await (await request.get(`/api/interest?school=${own[0]?.id}`)).json()
  expect(ids(one)).toEqual([own[0]?.id])

  const other = await anotherPerson(playwright, admin)
  const every: School[] = (await (await other.get('/api/high-schools')).json()).highSchools
  await other.dispose()
  const foreign = every.find(({ id }) => own.every((school) => school.id !== id))
  const nothing = await (await request.get(`/api/interest?school=${foreign?.id}`)).json()
  expect(nothing).toMatchObject({ byYearAndSchool: [], weeks: [], curves: [], handled: { medianMinutes: null } })
  for (const query of ['cohort=soon', 'cohort=2027&cohort=2028', 'from=2026-02-30', 'year=2027', 'school=']) {
    const answer = await request.get(`/api/interest?${query}`)
    expect(answer.status(), query).toBe(400)
    expect((await answer.json()).error).toContain(query.split('=')[0])
  }
})

test('no name, address or number of anybody is anywhere in what a manager gets', async ({ page, context }) => {
  await comeIn(context, manager)
  const declarations: Declaration[] = (await external(context.request, 'conversions/declarationsOfInterest'))
    .declarationsOfInterest
  const bodies: Promise<string>[] = []
  page.on('response', (answer) => {
    if (/json|html|x-component/.test(answer.headers()['content-type'] ?? '')) bodies.push(answer.text().catch(() => ''))
  })
  await open(page, `/interest?from=${daysAgo(50)}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const text = (await Promise.all(bodies)).join('\n')
  const people = declarations.slice(0, 2000).flatMap(({ id, user }) => [user.email, user.phone, id])
  expect(people.filter((one) => one && one.length > 6 && text.includes(one))).toEqual([])
  expect(text).not.toContain('@example')
})

test('a manager chooses cohort and unit, and the address keeps it', async ({ page, context }) => {
  await comeIn(context, manager)
  await open(page, '/interest')
  await page.getByRole('button', { name: /^Startår: / }).click()
  await page.getByRole('menuitemradio', { name: String(nextStart - 1) }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Intresse inför hösten ${nextStart - 1}`)
  await page.getByRole('button', { name: 'Personer', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`cohort=${nextStart - 1}.*unit=people`))
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Intresse inför hösten ${nextStart - 1}`)
  await expect(page.getByRole('button', { name: 'Personer', exact: true })).toHaveAttribute('aria-pressed', 'true')
})

test(
  'a chart is read point by point with the keys, and is a table and a file',
  { tag: '@full' },
  async ({ page, context }) => {
    await comeIn(context, manager)
    await open(page, '/interest')
    const chart = page.getByRole('slider', { name: 'Per vecka' })
    await chart.focus()
    const last = await chart.getAttribute('aria-valuetext')
    await page.keyboard.press('ArrowLeft')
    await expect(chart).not.toHaveAttribute('aria-valuetext', last ?? '')
    await page.keyboard.press('End')
    await expect(chart).toHaveAttribute('aria-valuetext', last ?? '')

    const [csv] = await Promise.all([page.waitForEvent('download'), choose(page, 'Startår och skola', 'Tabell (CSV)')])
    expect(csv.suggestedFilename()).toMatch(/^startar-skola-\d{4}-\d{4}-\d\d-\d\d\.csv$/)
    const text = await textOf(csv)
    expect(text).toMatch(/^\u{feff}Skola;\d{4};/u)
    expect(text.split('\r\n')).toHaveLength(1 + 1 + 5 + 1)

    const [png] = await Promise.all([page.waitForEvent('download'), choose(page, 'Vill ha svar via', 'Bild (PNG)')])
    expect(png.suggestedFilename()).toMatch(/\.png$/)
  },
)

test('an administrator sets the admission calendar, which must be in order', async ({ page, context }) => {
  await comeIn(context, admin)
  const usual = await (await context.request.get('/api/admission-cycle')).json()
  const put = (cycle: object) => context.request.put('/api/admission-cycle', { headers: { origin: DEMO }, data: cycle })
  const wrong = await put({ ...usual, final: usual.preliminary })
  expect(wrong.status()).toBe(400)
  expect((await wrong.json()).error).toContain('final')
  await open(page, '/admin/cycle')
  try {
    await page.getByLabel('Slutantagning: dag').selectOption('3')
    await page.getByRole('button', { name: 'Spara' }).click()
    await expect(page.getByText('Kalendern är sparad')).toBeVisible()
    expect(await (await context.request.get('/api/admission-cycle')).json()).toEqual({ ...usual, final: '07-03' })
    await page.getByLabel('Slutantagning: månad').selectOption('4')
    await expect(page.getByText('Måste vara senare än dagen ovanför')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Spara' })).toBeDisabled()
    await expectAccessible(page)
  } finally {
    expect((await put(usual)).status()).toBe(200)
  }
  await comeIn(context, staff)
  expect((await put(usual)).status()).toBe(403)
})

const SCREENS: { name: string; account: Account; paths: string[] }[] = [
  {
    name: 'declarations, and people within a period,',
    account: manager,
    paths: ['/interest', `/interest?unit=people&from=${daysAgo(20)}`],
  },
  { name: 'a cohort of the past', account: staff, paths: ['/interest?cohort=2023'] },
  { name: 'the admission calendar', account: admin, paths: ['/admin/cycle'] },
]
const VARIANTS = [
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark', locale: 'sv-SE' },
  { viewport: { width: 360, height: 780 }, colorScheme: 'light', locale: 'en-GB' },
] as const

for (const settings of VARIANTS) {
  test.describe(`${settings.viewport.width} px wide, ${settings.colorScheme}`, () => {
    test.use(settings)
    for (const { name, account, paths } of SCREENS) {
      test(`${name} can be used by everyone`, { tag: '@full' }, async ({ page, context }) => {
        await comeIn(context, account)
        for (const path of paths)
          await test.step(path, async () => {
            await open(page, path)
            await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)))
            await expectAccessible(page)
            await expectToFit(page)
          })
      })
    }
  })
}

test('on paper there is the page alone', { tag: '@full' }, async ({ page, context }) => {
  await comeIn(context, manager)
  await open(page, '/interest')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Intresse per år' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Skriv ut' })).toBeHidden()
  const main = page.getByRole('main')
  expect(await main.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0)
})

test(
  'paper has letters of one size, however narrow a chart is on screen, and no empty sheet',
  { tag: '@full' },
  async ({ page, context }) => {
    await comeIn(context, manager)
    await open(page, '/interest')
    const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b/g)
    // What lies within the margins of one sheet.
    await page.setViewportSize({ width: 703, height: 1032 })
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    const height = await page.getByRole('main').evaluate((main) => main.scrollHeight)
    expect(sheets).toHaveLength(Math.ceil(height / 1032))
    const heights = await page
      .getByRole('main')
      .locator('svg[data-picture] text:visible')
      .evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().height))
    expect(heights.length).toBeGreaterThan(20)
    expect(Math.max(...heights)).toBeLessThan(18)
  },
)

test.describe('the other pages on paper', () => {
  const onPaper = async (page: Page) => {
    await page.setViewportSize({ width: 703, height: 1032 })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  }
  test(
    'a list is the rows that were on screen, without what one presses',
    { tag: '@full' },
    async ({ page, context }) => {
      await comeIn(context, staff)
      await open(page, '/declarations?status=new')
      await onPaper(page)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Status: Ny' })).toBeVisible()
      for (const name of ['Exportera', 'Period', 'Rensa alla'])
        await expect(page.getByRole('button', { name, exact: true })).toBeHidden()
      const [first, second] = await page
        .getByRole('option')
        .evaluateAll((rows) => rows.slice(0, 2).map((row) => row.getBoundingClientRect().top))
      expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(20)
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(6 * 1032)
    },
  )

  test('an open lead is printed without its list', { tag: '@full' }, async ({ page, context }) => {
    await comeIn(context, staff)
    await open(page, '/declarations')
    await page.getByRole('option').nth(1).click()
    await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
    await onPaper(page)
    await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
    await expect(page.getByRole('option').first()).toBeHidden()
    expect((await page.getByRole('heading', { level: 2 }).boundingBox())?.y).toBeLessThan(150)
    await expect(page.getByRole('button', { name: 'Kopiera e-postadressen' })).toBeHidden()
    await expect(page.getByRole('textbox', { name: 'Skriv en anteckning' })).toBeHidden()
  })
})

async function choose(page: Page, chart: string, file: string): Promise<void> {
  await page.getByRole('button', { name: `Ladda ner ${chart}`, exact: true }).click()
  await page.getByRole('menuitem', { name: file }).click()
}

async function textOf(download: { createReadStream: () => Promise<NodeJS.ReadableStream> }): Promise<string> {
  const chunks: string[] = []
  for await (const chunk of (await download.createReadStream()).setEncoding('utf8')) chunks.push(String(chunk))
  return chunks.join('')
}
