import type { Page } from '@playwright/test'
import {
  admin,
  awake,
  daysAgo,
  DEMO,
  expect,
  expectAccessible,
  nextStart,
  open,
  openLeadId,
  PHONE,
  rows,
  signIn,
  staff,
  statusOf,
  test,
} from './fixtures'

const search = (page: Page) => page.getByRole('searchbox')

test('a person signs in and reads real leads, and new ones arrive by themselves', async ({ page, context }) => {
  await signIn(context.request, admin)
  await open(page, '/declarations')
  await expect(page.getByRole('heading', { name: /^Intresseanmälningar/ })).toBeVisible()
  await expect(rows(page).nth(9)).toBeVisible()
  const total = async () =>
    (await (await context.request.get(`${DEMO}/api/declarations-of-interest?limit=1`)).json()).total
  const before = await total()
  await expect(async () => expect(await total()).toBeGreaterThan(before)).toPass({ timeout: 40_000 })
})

test('search finds Åsa for "asa", marks her, and is not in the address', async ({ page, context }) => {
  await signIn(context.request, admin)
  await open(page, '/declarations')
  await expect(rows(page).first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('asa oberg')
  await expect(rows(page).first()).toContainText('Åsa Öberg')
  await expect(rows(page).first().locator('mark').first()).toHaveText('Åsa')
  expect(page.url()).not.toContain('oberg')
  await page.reload()
  await awake(page)
  await expect(search(page)).toHaveValue('asa oberg')
  await expect(rows(page).first()).toContainText('Åsa Öberg')
})

test('an open lead shows everything that was sent, and reload and back keep the place', async ({ page, context }) => {
  await signIn(context.request, staff)
  // Those who began last year are old enough to be written to without a second thought.
  await open(page, `/declarations?year=${new Date().getFullYear() - 1}`)
  const first = rows(page).first()
  await first.click()
  await expect(page).toHaveURL(/lead=/)
  const detail = page.getByRole('region', { name: /Ärende|Fråga/ }).or(page.getByRole('main'))
  await expect(detail.getByRole('button', { name: 'Mejla' })).toBeVisible()
  const address = page.url()
  await page.reload()
  await awake(page)
  await expect(detail.getByRole('button', { name: 'Mejla' })).toBeVisible()
  expect(page.url()).toBe(address)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/lead=/)
})

test('opening a lead changes no status; the person does, and it lasts', async ({ page, context }) => {
  await signIn(context.request, staff)
  await open(page, '/declarations?status=new')
  await rows(page).nth(3).click()
  await expect(page).toHaveURL(/lead=/)
  const id = openLeadId(page)
  const stored = () => statusOf(page.request, 'declarations-of-interest', id)
  await expect(page.getByRole('button', { name: /^Status: Ny. Ändra/ })).toBeVisible()
  expect(await stored()).toBe('new')
  await page.getByRole('button', { name: /^Status: Ny. Ändra/ }).click()
  await page.getByRole('menuitemradio', { name: 'Hanterad' }).click()
  await expect(async () => expect(await stored()).toBe('handled')).toPass()
  const undo = await context.request.patch(`${DEMO}/api/triage`, {
    headers: { origin: DEMO },
    data: { leads: [{ kind: 'declaration-of-interest', id }], status: 'new' },
  })
  expect(undo.status()).toBe(200)
})

test('by keyboard alone: down, open, next, close', async ({ page, context }) => {
  await signIn(context.request, staff)
  await open(page, '/declarations')
  await expect(rows(page).first()).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/lead=/)
  const opened = page.url()
  await page.keyboard.press('j')
  await expect(page).not.toHaveURL(opened)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/lead=/)
})

test('the whole list can be reached: the last of thousands of rows is there', async ({ page, context }) => {
  await signIn(context.request, admin)
  await open(page, '/declarations?sort=createdAt')
  await expect(rows(page).first()).toBeVisible()
  const scroller = page.getByRole('listbox')
  await scroller.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
  const size = Number(await rows(page).first().getAttribute('aria-setsize'))
  expect(size).toBeGreaterThan(14_000)
  await expect(page.locator(`[role=option][aria-posinset="${size}"]`)).toContainText(/\d/)
})

test('the school picker narrows both lists and survives the way between them', async ({ page, context }) => {
  await signIn(context.request, admin)
  await open(page, '/declarations?school=norra-gymnasiet')
  await expect(rows(page).first()).toContainText('Norra Gymnasiet')
  await page.locator('a.nav-side[href^="/questions"]').click()
  await expect(page).toHaveURL(/\/questions\?.*school=norra-gymnasiet/)
  await expect(rows(page).first()).toContainText('Norra Gymnasiet')
})

test('the rows are in the first HTML itself, and the screen that is left stays, busy, until the next one has come', async ({
  page,
  context,
}) => {
  await signIn(context.request, admin)
  const html = await (await context.request.get('/declarations')).text()
  expect(html.slice(0, html.indexOf('</main>'))).toContain('id="row-0"')
  await open(page, '/declarations')
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/\/questions\?.*_rsc=/, async (route) => {
    await held
    await route.continue()
  })
  await page.locator('a.nav-side[href^="/questions"]').click()
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
  await expect(rows(page).first()).toBeVisible()
  answer()
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'false')
  await expect(page).toHaveURL(/\/questions/)
})

test('a view keeps filters, order and search under a name, and gives them back', async ({ page, context }) => {
  await signIn(context.request, staff)
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
  await signIn(context.request, admin)
  await open(page, `/declarations?to=${daysAgo(300)}`)
  await page.getByRole('button', { name: 'Skola', exact: true }).click()
  const choice = page.locator('label', { hasText: 'Södra Gymnasiet' })
  await expect(choice).toContainText(/\d/)
  const said = ((await choice.textContent()) ?? '').replace(/\D/g, '')
  await choice.click()
  await expect(page).toHaveURL(/school=/)
  await expect(rows(page).first()).toHaveAttribute('aria-setsize', said)
})

test('start years that cannot be right are one choice, with the leads of them all', async ({ page, context }) => {
  await signIn(context.request, admin)
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

test('a filter says its counts beside its choices, never on the chip', async ({ page, context }) => {
  await signIn(context.request, admin)
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
    test('none stands alone on a line', async ({ page, context }) => {
      await signIn(context.request, staff)
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
}

test('with nothing in the list there is nothing to export, and the button says so', async ({ page, context }) => {
  await signIn(context.request, staff)
  await open(page, '/declarations?from=2031-01-01')
  const button = page.getByRole('button', { name: 'Exportera', exact: true })
  await expect(button).toBeDisabled()
  await expect(button).toHaveAttribute('title', 'Det finns inget att exportera')
})

test.describe('with a thumb', () => {
  test.use(PHONE)

  test('leads are read and decided upon one after the other, and back leads to the list', async ({ page, context }) => {
    await signIn(context.request, admin)
    await open(page, `/declarations?status=new&year=${nextStart - 1}`)
    await rows(page).nth(2).tap()
    await expect(page).toHaveURL(/lead=/)
    const first = page.url()
    await page.getByRole('group').getByRole('button', { name: 'Hanterad' }).tap()
    await expect(page).not.toHaveURL(first)
    await expect(page).toHaveURL(/lead=/)
    await page.getByRole('button', { name: 'Ångra' }).tap()
    await expect(page).toHaveURL(first)
    await expectAccessible(page)
    await page.goBack()
    await expect(page).not.toHaveURL(/lead=/)
    await expect(rows(page).first()).toBeVisible()
  })

  test('a row drawn to the side is decided upon, held down it is marked', async ({ page, context }) => {
    await signIn(context.request, admin)
    await open(page, `/declarations?status=new&to=${daysAgo(60)}`)
    const name = await rows(page).nth(3).locator('span[dir=auto]').textContent()
    const row = rows(page)
      .filter({ hasText: name ?? '' })
      .first()
    // What fingers do is fetched once the page stands.
    await expect(async () => {
      await draw(page, 3, 200)
      await expect(page.getByText(/ är hanterad\./)).toBeVisible({ timeout: 5_000 })
    }).toPass()
    await page.getByRole('button', { name: 'Ångra' }).tap()
    await expect(page.getByText(/^Ångrat: .* är ny igen\.$/)).toBeVisible()
    await expect(row.getByRole('img', { name: 'Ny' })).toHaveCount(1)
    const marked = page.getByRole('region', { name: 'Markerade ärenden' })
    const lift = await hold(page, 3)
    await expect(marked).toContainText('1 markerat')
    await lift()
    await rows(page).nth(5).tap()
    await expect(marked).toContainText('2 markerade')
    await expectAccessible(page)
    await marked.getByRole('button', { name: 'Avmarkera' }).tap()
    await page.getByRole('button', { name: 'Markera flera' }).tap()
    await row.tap()
    await expect(marked).toContainText('1 markerat')
  })

  test('the rest of the menu is behind the last entry of the lower bar', async ({ page, context }) => {
    await signIn(context.request, admin)
    await open(page, '/declarations')
    await page.getByRole('button', { name: 'Mer', exact: true }).tap()
    await expectAccessible(page)
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(/\/admin\/status\?.*_rsc=/, async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('link', { name: 'Driftläge' }).tap()
    await expect(page.getByRole('dialog'), 'one sees at once that something comes').toHaveCount(0)
    await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
    answer()
    await expect(page).toHaveURL(/\/admin\/status/)
  })
})

/** A finger on a row, drawn to the right by so many pixels. */
async function draw(page: Page, row: number, by: number): Promise<void> {
  const touch = await finger(page, row)
  await touch('touchStart', 0)
  for (let moved = 0; moved <= by; moved += 20) await touch('touchMove', moved)
  await touch('touchEnd', by)
}

/** A finger that stays on a row until it is told to lift. */
async function hold(page: Page, row: number): Promise<() => Promise<unknown>> {
  const touch = await finger(page, row)
  await touch('touchStart', 0)
  return () => touch('touchEnd', 0)
}

async function finger(page: Page, row: number) {
  const box = await rows(page).nth(row).boundingBox()
  if (box === null) throw new Error('The row is not there')
  const [x, y] = [box.x + 60, box.y + box.height / 2]
  const session = await page.context().newCDPSession(page)
  return (type: 'touchStart' | 'touchMove' | 'touchEnd', by: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: x + by, y }] })
}
