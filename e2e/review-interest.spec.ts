import type { Page } from '@playwright/test'
import { downloaded, expect, headers, joinAs, nextStart, open, PHONE, read, signIn, test } from './fixtures'
import { startFresh } from './own-server'

test.use({ as: 'manager' })

const title = (page: Page) => page.getByRole('heading', { level: 1 })

test('a manager gets no name, address or phone', async ({ page, request }) => {
  const bearer = { authorization: 'Bearer demo', 'accept-encoding': 'identity' }
  const answer = await request.get('/external/conversions/declarationsOfInterest', { headers: bearer })
  const { declarationsOfInterest } = await answer.json()
  const bodies: Promise<string>[] = []
  page.on('response', (response) => {
    if (/json|html|x-component/.test(response.headers()['content-type'] ?? ''))
      bodies.push(response.text().catch(() => ''))
  })
  await open(page, '/interest')
  await expect(title(page)).toBeVisible()
  const text = (await Promise.all(bodies)).join('\n')
  type Declaration = { id: string; user: Record<'email' | 'phone', string> }
  const people = declarationsOfInterest
    .slice(0, 2000)
    .flatMap(({ id, user }: Declaration) => [user.email, user.phone, id])
  expect(people.filter((one: string) => one && one.length > 6 && text.includes(one))).toEqual([])
  expect(text).not.toContain('@example')
})

test('the page begins with one line, which leads to the curves, and keeps a chosen cohort', async ({ page }) => {
  await open(page, '/interest')
  const sentence = page
    .getByRole('main')
    .getByRole('heading')
    .filter({ has: page.getByRole('link', { name: /anmälningar$/ }) })
  const lineHeight = await sentence.evaluate((line) => parseFloat(getComputedStyle(line).lineHeight))
  const place = await sentence.boundingBox()
  expect(place?.height, 'it is one line').toBeLessThan(1.5 * lineHeight)
  expect(place?.y, 'nothing explains it before').toBeLessThan(150)
  await sentence.getByRole('link').first().click()
  await expect(page.getByRole('region', { name: /dit vi är på väg/ })).toBeFocused()

  await page.getByRole('combobox', { name: 'Startår' }).selectOption(String(nextStart - 1))
  await expect(title(page)).toHaveText(`Intresse inför hösten ${nextStart - 1}`)
  await expect(page).toHaveURL(new RegExp(`cohort=${nextStart - 1}`))
  await page.reload()
  await expect(title(page)).toHaveText(`Intresse inför hösten ${nextStart - 1}`)
})

for (const locale of ['sv-SE', 'en-GB'])
  test.describe(`on a phone in ${locale}`, () => {
    test.use({ ...PHONE, locale })
    test('the whole table of schools is seen', async ({ page }) => {
      await open(page, '/interest')
      const table = page.getByRole('region', { name: /^(Skolorna|The schools), / })
      await expect(table).toBeVisible()
      expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
    })
  })

test('a chart is a drawing, a table and a file', { tag: '@full' }, async ({ page }) => {
  await open(page, '/interest')
  const curves = page.getByRole('region', { name: 'Hittills, och dit vi är på väg' })
  await expect(curves.getByRole('img', { name: /^Linjer över/ })).toBeVisible()
  expect(await curves.locator('svg title').first().textContent()).toMatch(/\n\d{4}: /)
  await curves.getByText('Visa som tabell').click()
  await expect.poll(() => curves.getByRole('row').count()).toBeGreaterThan(50)

  const fileOf = (name: string) => downloaded(page, () => page.getByRole('button', { name }).click())
  const csv = await fileOf('Ladda ner som tabell (CSV): Skolorna')
  expect(csv.name).toMatch(/^skolor-\d{4}-\d{4}-\d\d-\d\d\.csv$/)
  expect(csv.text).toMatch(/^\u{feff}Skola;/u)
  expect(csv.text.split('\r\n')).toHaveLength(1 + 1 + 5 + 1)
  expect((await fileOf('Ladda ner som bild (PNG)')).name).toMatch(/\.png$/)
})

test('an administrator sets the admission calendar', { tag: '@full' }, async ({ page, context: { request } }) => {
  await joinAs(page.context(), 'admin')
  const usual = await read(request, '/api/admission-cycle')
  await open(page, '/admin/work')
  const form = page.getByRole('form', { name: 'Antagningskalender' })
  try {
    await form.getByLabel('Slutantagning: dag').selectOption('3')
    await form.getByRole('button', { name: 'Spara' }).click()
    await expect(page.getByText('Kalendern är sparad')).toBeVisible()
    expect(await read(request, '/api/admission-cycle')).toEqual({ ...usual, final: '07-03' })
  } finally {
    await request.put('/api/admission-cycle', { headers, data: usual })
  }
})

const A4 = { width: 703, height: 1032 }

test.describe('on paper', () => {
  async function expectOneSheet(page: Page): Promise<void> {
    await expect(page.getByRole('main').locator('svg[data-picture]').first()).toBeAttached()
    const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b/g)
    expect(sheets).toHaveLength(1)
    await page.setViewportSize(A4)
    await page.emulateMedia({ media: 'print' })
    const sheet = page.locator('[data-prints-small]')
    const room = (box: Element) => [box.scrollHeight - box.clientHeight, box.scrollWidth - box.clientWidth]
    await expect.poll(() => sheet.evaluate(room), 'nothing is cut').toEqual([0, 0])
    for (const table of await page.getByRole('main').getByRole('table').all())
      expect(await table.evaluate((element) => element.scrollWidth), 'the table fits').toBeLessThanOrEqual(A4.width)
    await expect(page.getByRole('table', { name: /Vad eleverna frågar om|What pupils ask about/ })).toBeVisible()
    await expect(async () => {
      const heights = await sheet
        .locator('svg[data-picture] text:visible')
        .evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().height))
      expect(heights.length).toBeGreaterThan(15)
      expect(Math.max(...heights), 'letters have one size').toBeLessThan(18)
    }).toPass({ timeout: 10_000 })
  }

  test('the page stands on one sheet, alone', { tag: '@full' }, async ({ page }) => {
    await page.emulateMedia({ media: 'print' })
    await open(page, '/interest')
    await expect(title(page)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Intresse per år' })).toBeHidden()
    await expect(page.getByText(/^Avrundat till närmaste fem\. .*Prognosens spann/)).toBeVisible()
    await expect(page.getByText(/^Källa: Intag, .*\d{4} \d\d:\d\d$/)).toBeVisible()
    await open(page, `/interest?cohort=${nextStart - 1}`)
    await expectOneSheet(page)
  })

  test('of thirty schools the first twelve are on the sheet', { tag: '@full' }, async ({ page }) => {
    test.setTimeout(120_000)
    const server = await startFresh(3119, { DEMO_TIER: 'L-new' })
    try {
      await server.isReady()
      await signIn(page.request, 'manager', server.origin)
      for (const language of ['sv', 'en']) {
        await page.context().addCookies([{ name: 'locale', value: language, url: server.origin }])
        await page.goto(`${server.origin}/interest`)
        await expect(page.locator('html')).toHaveAttribute('lang', language)
        await expectOneSheet(page)
        const shown = page.getByRole('table', { name: /Skolorna|The schools/ }).locator('tbody tr:visible')
        expect(await shown.count()).toBeGreaterThanOrEqual(13)
      }
    } finally {
      await page.goto('about:blank')
      await server.stop()
    }
  })

  test.describe('a list', () => {
    test.use({ as: 'staff' })

    test('has the rows on screen without buttons, or the open lead alone', { tag: '@full' }, async ({ page }) => {
      await open(page, '/declarations?status=new')
      const options = page.getByRole('option')
      await page.keyboard.press('Escape')
      await page.emulateMedia({ media: 'print' })
      await expect(title(page)).toBeVisible()
      await expect(options.first()).toBeVisible()
      await expect(page.getByRole('button', { name: 'Exportera', exact: true })).toBeHidden()

      await page.emulateMedia({ media: 'screen' })
      await options.nth(1).click()
      await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
      await page.emulateMedia({ media: 'print' })
      await expect(options.first()).toBeHidden()
      await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
    })
  })
})
