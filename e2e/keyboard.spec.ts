import { expect, expectAccessible, open, openLeadId, rows, signIn, staff, statusOf, test, yesterday } from './fixtures'

test('z takes back step by step and goes to the lead', async ({ page, context }) => {
  await signIn(context.request, staff)
  await open(page, '/questions?status=new&mode=phone')
  await expect(rows(page).first()).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
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
  await signIn(context.request, staff)
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
  await signIn(context.request, staff)
  await open(page, '/declarations')
  await expect(rows(page).first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('expuz')
  await expect(page.getByRole('searchbox')).toHaveValue('expuz')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('searchbox')).toHaveValue('')
})

test('one key clears every filter and the search', async ({ page, context }) => {
  await signIn(context.request, staff)
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

test('? lists the keys, in a dialog that everyone can use', async ({ page, context }) => {
  await signIn(context.request, staff)
  await open(page, '/declarations')
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Kortkommandon' })
  for (const name of ['Nästa ärende', 'Markera hanterad', 'Markera fram hit', 'Kommandon'])
    await expect(help.getByText(name, { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
})

test('g and a letter goes, and the palette finds by a part of the name', async ({ page, context }) => {
  await signIn(context.request, staff)
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
})

test('the palette does what the keys do, to the lead that one is at', async ({ page, context }) => {
  await signIn(context.request, staff)
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

test('the cursor’s row stays in sight when the list becomes lower', async ({ page, context }) => {
  await signIn(context.request, staff)
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
