import type { Page } from '@playwright/test'
import {
  admin,
  atRest,
  awake,
  comeIn,
  daysAgo,
  DEMO,
  expect,
  expectAccessible,
  open,
  openFirstByKeys,
  openLeadId,
  rows,
  staff,
  statusOf,
  test,
  yesterday,
} from './fixtures'

test('z takes back step by step and goes to the lead', async ({ page, context }) => {
  await comeIn(context, staff)
  await open(page, '/questions?status=new&mode=phone')
  await openFirstByKeys(page)
  await expect(page).toHaveURL(/lead=/)
  const decided: string[] = []
  for (let times = 0; times < 2; times++) {
    const id = openLeadId(page)
    decided.push(id)
    // As fast as a hand can mean it: what comes sooner is a bounce of the key before.
    await page.keyboard.press('e', { delay: 300 })
    await expect(page).not.toHaveURL(new RegExp(`lead=${id}(&|$)`))
  }
  const [first = '', second = ''] = decided
  await page.keyboard.press('z')
  await expect(page).toHaveURL(new RegExp(`lead=${second}(&|$)`))
  await expect(async () => expect(await statusOf(page.request, 'asked-questions', second)).toBe('new')).toPass()
  expect(await statusOf(page.request, 'asked-questions', first)).toBe('handled')
  await page.keyboard.press('z')
  await expect(async () => expect(await statusOf(page.request, 'asked-questions', first)).toBe('new')).toPass()
})

test('p takes the lead: under way, by oneself, and still in front', async ({ page, context }) => {
  await comeIn(context, staff)
  await open(page, '/declarations?status=new&assignee=none&sort=createdAt')
  await rows(page).nth(7).click()
  await expect(page).toHaveURL(/lead=/)
  const id = openLeadId(page)
  await open(page, `/declarations?sort=createdAt&lead=${encodeURIComponent(id)}`)
  await expect(page.getByRole('button', { name: /^Status: Ny/ })).toBeVisible()
  await page.keyboard.press('p')
  await expect(page.getByRole('button', { name: /^Status: Pågår/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Ansvarig: / })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Jag tar den' })).toBeDisabled()
  expect(openLeadId(page)).toBe(id)
  await expect(async () =>
    expect(await statusOf(page.request, 'declarations-of-interest', id)).toBe('in-progress'),
  ).toPass()
  await page.keyboard.press('z')
  await expect(page.getByRole('button', { name: /^Ansvarig: / })).toBeHidden()
  await expect(async () => expect(await statusOf(page.request, 'declarations-of-interest', id)).toBe('new')).toPass()
})

test('typing is typing: no key decides while a field has the focus', async ({ page, context }) => {
  await comeIn(context, staff)
  await open(page, '/declarations')
  await expect(rows(page).first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('expuz')
  await expect(page.getByRole('searchbox')).toHaveValue('expuz')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('searchbox')).toHaveValue('')
})

test('one key clears every filter and the search', async ({ page, context }) => {
  await comeIn(context, staff)
  await open(page, '/declarations?status=new&assignee=none')
  await page.keyboard.press('/')
  await page.keyboard.type('a')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/lead=/)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/lead=/)
  await page.keyboard.press('c')
  await expect(page).toHaveURL(/\/declarations$/)
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await page.goBack()
  await expect(page).toHaveURL(/status=new/)
})

test('? lists the keys, in a dialog that everyone can use', { tag: '@full' }, async ({ page, context }) => {
  await comeIn(context, staff)
  await open(page, '/declarations')
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Kortkommandon' })
  for (const name of ['Nästa ärende', 'Markera hanterad', 'Markera fram hit', 'Kommandon'])
    await expect(help.getByText(name, { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
})

test(
  'g and a letter goes, and the palette finds by a part of the name',
  { tag: '@full' },
  async ({ page, context }) => {
    await comeIn(context, staff)
    await open(page, '/declarations')
    await page.keyboard.press('g')
    await page.keyboard.press('q')
    await expect(page).toHaveURL(/\/questions/)
    await expect(rows(page).first()).toBeVisible()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('combobox', { name: 'Kommandon' })
    await palette.fill('intresseanm')
    await expect(page.getByRole('option', { name: /^Intresseanmälningar/ })).toHaveAttribute('aria-selected', 'true')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/declarations/)
    await page.keyboard.press('Control+k')
    await palette.fill('försen')
    await expect(page.getByRole('option', { name: 'Försenade' })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/late=1/)
  },
)

test('the palette does what the keys do, to the lead that one is at', async ({ page, context }) => {
  await comeIn(context, staff)
  await open(page, '/declarations?status=new')
  await rows(page).nth(5).click()
  await expect(page).toHaveURL(/lead=/)
  const id = openLeadId(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Kommandon' }).fill('inte aktuell')
  await page.keyboard.press('Enter')
  await expect(async () =>
    expect(await statusOf(page.request, 'declarations-of-interest', id)).toBe('dismissed'),
  ).toPass()
  await page.keyboard.press('z')
  await expect(async () => expect(await statusOf(page.request, 'declarations-of-interest', id)).toBe('new')).toPass()
})

test('the cursor’s row stays in sight when the list becomes lower', { tag: '@full' }, async ({ page, context }) => {
  await comeIn(context, staff)
  await open(page, `/declarations?to=${yesterday}`)
  await expect(rows(page).first()).toBeVisible()
  const cursor = page.locator('[role=option][data-cursor=true]')
  for (let place = 1; place <= 10; place++) {
    await page.keyboard.press('j')
    await expect(cursor).toHaveAttribute('aria-posinset', String(place))
  }
  await page.setViewportSize({ width: 1440, height: 660 })
  await expect(cursor).toBeInViewport({ ratio: 1 })
})

test('twenty leads are handled by keyboard alone, each giving way to the next', async ({ page, context }) => {
  await page.clock.install()
  await comeIn(context, staff)
  await open(page, `/questions?status=new&mode=email&to=${daysAgo(30)}`)
  await expect(rows(page).first()).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/lead=/)
  const handled: string[] = []
  for (let count = 0; count < 20; count++) {
    const id = openLeadId(page)
    handled.push(id)
    // As fast as a hand can mean it: what comes sooner is a bounce of the key before.
    await page.keyboard.press('e')
    await page.waitForURL((url) => url.searchParams.get('lead') !== id)
    await atRest(page)
    await page.clock.runFor(500)
  }
  expect(new Set(handled).size).toBe(20)
  const ids = new URLSearchParams(handled.map((id) => ['id', id]))
  await expect(async () => {
    const answer = await context.request.get(`${DEMO}/api/asked-questions?status=handled&limit=1&${ids}`)
    expect((await answer.json()).total).toBe(20)
  }).toPass()

  const next = openLeadId(page)
  await page.reload()
  await awake(page)
  expect(openLeadId(page)).toBe(next)
  const answer = await context.request.get(`${DEMO}/api/asked-questions?id=${encodeURIComponent(next)}`)
  expect((await answer.json()).askedQuestions[0].triage.status, 'opening decides nothing').toBe('new')
})

test.describe('the focus', () => {
  test('is shown on the row of the cursor while keys are used, and not after a press of the mouse', async ({
    page,
    context,
  }) => {
    await comeIn(context, admin)
    await open(page, `/declarations?to=${yesterday}`)
    await expect(rows(page).first()).toBeVisible()
    await page.keyboard.press('j')
    const ring = (selector: string) =>
      page.locator(selector).evaluate((element) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(element)
        return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
      })
    await expect(page.getByRole('listbox')).toBeFocused()
    expect(await ring('[data-cursor=true]')).toBe(2)
    expect(await ring('[role=listbox]')).toBe(0)
    await page.mouse.click(10, 10)
    await rows(page).nth(3).click()
    await expect(page.locator('[data-cursor=true]')).toHaveAttribute('aria-posinset', '4')
    expect(await ring('[data-cursor=true]')).toBeLessThan(2)
  })

  /** Each opens something with a key or a press; Escape closes it, and the focus is where it was. */
  const OPENED: { name: string; path: string; begin: (page: Page) => Promise<void> }[] = [
    { name: 'the palette', path: '/declarations', begin: (page) => page.keyboard.press('Control+k') },
    { name: 'the help', path: '/declarations', begin: (page) => page.keyboard.press('?') },
    { name: 'the export', path: '/declarations', begin: pressed('Exportera') },
    { name: 'the choice of an assignee', path: '/declarations', begin: (page) => page.keyboard.press('a') },
    { name: 'the order', path: '/declarations', begin: pressed(/^Sortera/) },
    { name: 'a filter', path: '/declarations', begin: pressed('Status') },
    { name: 'the schools', path: '/declarations', begin: pressed(/^Alla mina skolor/) },
    { name: 'the account', path: '/declarations', begin: pressed(/Anna Berg/) },
    { name: 'a new user', path: '/admin/users', begin: pressed('Lägg till') },
  ]
  const OFTEN = ['the palette', 'the export', 'a filter']
  const isOften = ({ name }: { name: string }) => OFTEN.includes(name)
  for (const { what, tag, all } of [
    { what: OFTEN.join(', '), tag: [], all: OPENED.filter(isOften) },
    { what: 'whatever else was open', tag: ['@full'], all: OPENED.filter((one) => !isOften(one)) },
  ])
    test(`comes back after ${what}`, { tag }, async ({ page, context }) => {
      await comeIn(context, admin)
      for (const { name, path, begin } of all)
        await test.step(name, async () => {
          await open(page, path)
          if (path === '/declarations') {
            await expect(rows(page).first()).toBeVisible()
            await page.keyboard.press('j')
            await expect(page.getByRole('listbox')).toBeFocused()
          }
          await begin(page)
          const opened = page.locator('dialog[open], [popover=auto]:popover-open')
          await expect(opened).toBeVisible()
          await page.keyboard.press('Escape')
          await expect(opened).toBeHidden()
          await expect(page.locator('[data-opener], [role=listbox]').and(page.locator(':focus'))).toHaveCount(1)
        })
    })

  /** Presses a button by keyboard, and remembers it as the one that the focus must come back to. */
  function pressed(name: string | RegExp) {
    return async (page: Page) => {
      const button = page
        .getByRole('button', { name, exact: typeof name === 'string' })
        .filter({ visible: true })
        .first()
      await button.evaluate((element) => element.setAttribute('data-opener', ''))
      await button.press('Enter')
    }
  }

  test('comes back to the list when a lead closes, on a phone too', async ({ page, context }) => {
    await comeIn(context, admin)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await open(page, '/declarations')
      await openFirstByKeys(page)
      await page
        .getByRole('link', { name: /kontakt/i })
        .first()
        .focus()
      await page.keyboard.press('Escape')
      await expect(page).not.toHaveURL(/lead=/)
      await expect(page.getByRole('listbox')).toBeFocused()
    }
  })

  test('goes along to another screen', async ({ page, context }) => {
    await comeIn(context, admin)
    await open(page, '/declarations')
    await page.getByRole('link', { name: 'Intresse per år' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: /^Intresse/ })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
  })
})

test(
  'Escape out of a menu that was opened by mouse leaves the screen whole, and shows no tooltip',
  { tag: '@full' },
  async ({ page, context }) => {
    await comeIn(context, staff)
    await open(page, '/declarations')
    await rows(page).nth(2).hover()
    await rows(page).nth(2).locator('[data-mark]').click()
    await page.getByRole('button', { name: 'Mer', exact: true }).click()
    await expect(page.getByRole('menu', { name: 'Mer' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu', { name: 'Mer' })).toBeHidden()
    await expect(page.locator('[popover=manual]:popover-open')).toHaveCount(0)
    await expect(rows(page).first()).toBeVisible()
  },
)

test('help has a button, and signs for the keys of this machine', { tag: '@full' }, async ({ page, context }) => {
  await comeIn(context, staff)
  await open(page, '/declarations')
  await page.getByRole('button', { name: 'Kortkommandon' }).click()
  const help = page.getByRole('dialog', { name: 'Kortkommandon' })
  await expect(help.getByText('Ctrl', { exact: true }).first()).toBeVisible()
  await expect(help.getByText('⌘')).toHaveCount(0)
})
