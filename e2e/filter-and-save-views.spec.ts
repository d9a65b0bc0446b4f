import {
  admin,
  awake,
  daysAgo,
  expect,
  expectAccessible,
  headers,
  newUser,
  nextStart,
  open,
  signIn,
  staff,
  test,
  yesterday,
} from './fixtures'
import { openFilter, rows, search, typeSearch } from './leads'
import { signOut } from './reply-desk'

test.use({ as: staff })

test('a view keeps filters, order and search', async ({ page }) => {
  // She is invented for this year.
  await open(page, '/declarations?status=new&year=2027&sort=name')
  await typeSearch(page, 'asa oberg')
  await expect(rows(page).first()).toContainText('Åsa Öberg')
  await openFilter(page, 'Spara som vy')
  await page.getByRole('textbox', { name: 'Namn' }).fill('Alla Öberg')
  await expect(page.getByText('syns för alla som har tillgång till samma skolor som du')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Spara', exact: true }).click()
  const view = page.getByRole('link', { name: /^Alla Öberg/ })
  await expect(view).toHaveAttribute('aria-current', 'page')
  await expect(view).toContainText(/\d/)

  await page.locator('a.nav-side[href^="/questions"]').click()
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
    await openFilter(page, 'Status')
    const choice = page.locator('label', { hasText: /^Ny\d/ })
    await expect(choice).toContainText(/\d/)
    const said = ((await choice.textContent()) ?? '').replace(/\D/g, '')
    await choice.click()
    await expect(page).toHaveURL(/status=new/)
    await expect(rows(page).first()).toHaveAttribute('aria-setsize', said)
  })

  test(
    'is what questions are about, too: its choices have their numbers, and its chip takes it away',
    { tag: '@full' },
    async ({ page }) => {
      await open(page, `/questions?to=${yesterday}`)
      await openFilter(page, 'Frågan gäller')
      const choice = page.locator('label', { hasText: 'Resor och boende' })
      await expect(choice).toContainText(/\d/)
      const said = ((await choice.textContent()) ?? '').replace(/\D/g, '')
      await choice.click()
      await expect(page).toHaveURL(/topic=transport/)
      await expect(rows(page).first()).toHaveAttribute('aria-setsize', said)
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Ta bort filtret Frågan gäller: Resor och boende' }).click()
      await expect(page).not.toHaveURL(/topic=/)
    },
  )
})

const MANY =
  'assignee=me&assignee=none&status=new&status=in-progress&from=2026-01-01&to=2026-12-31&answered=0&followUp=0'
for (const { locale, width, tag } of [
  { locale: 'sv-SE', width: 1280, tag: [] },
  { locale: 'sv-SE', width: 390, tag: [] },
  { locale: 'en-GB', width: 1280, tag: ['@full'] },
  { locale: 'en-GB', width: 390, tag: ['@full'] },
])
  test.describe(`the filters in ${locale} at ${width} px`, () => {
    test.use({ locale, viewport: { width, height: 720 } })
    test('are one line with any values', { tag }, async ({ page }) => {
      for (const path of [
        '/declarations',
        `/questions?mode=phone&${MANY}`,
        `/declarations?year=${nextStart}&${MANY}`,
      ]) {
        await open(page, path)
        const line = page.locator('main header fieldset').first()
        const set = path === '/declarations' ? 0 : 6
        // The chips come a moment after the line.
        await expect(async () => {
          await expect(line.locator('[data-prints]')).toHaveCount(set, { timeout: 500 })
          const height = (await line.boundingBox())?.height ?? 99
          expect(height, path).toBeLessThanOrEqual(46)
          const right = await line.evaluate((box) => box.scrollWidth - box.clientWidth)
          expect(right, path).toBeLessThanOrEqual(0)
        }).toPass()
      }
    })
  })

test('the filters open by key, one after the other, and the focus returns', { tag: '@full' }, async ({ page }) => {
  await open(page, '/questions')
  const button = page.getByRole('button', { name: 'Filter', exact: true })
  await button.press('Enter')
  const filters = page.getByRole('dialog', { name: 'Filter' })
  const row = (name: string) => filters.getByRole('button', { name })
  await expect(row('Ansvarig')).toBeFocused()
  await expectAccessible(page)
  await row('Status').press('Enter')
  await expect(filters.getByRole('button', { name: /Status$/ })).toBeFocused()
  await filters.getByRole('checkbox', { name: 'Påminnelse i dag' }).press('Space')
  await expect(page).toHaveURL(/followUp=1/)
  await expectAccessible(page)
  await filters.getByRole('button', { name: /Status$/ }).press('Enter')
  await expect(row('Status')).toBeFocused()
  await expect(row('Status')).toContainText('Påminnelse i dag')
  await page.keyboard.press('Escape')
  await expect(filters).toBeHidden()
  await expect(button).toBeFocused()
  await page.getByRole('button', { name: 'Ta bort filtret Påminnelse i dag' }).click()
  await expect(page).not.toHaveURL(/followUp/)
})

test('clearing the filters of a list leaves the chosen schools, and so the day and the queues', async ({ page }) => {
  await open(page, '/questions?school=norra-gymnasiet&mode=phone&answered=0')
  const queues = page.getByRole('region', { name: 'Köer' })
  await expect(queues.getByRole('link').first()).toHaveAttribute('href', /school=norra-gymnasiet/)
  await page.keyboard.press('c')
  await expect(page).not.toHaveURL(/mode=/)
  expect(page.url()).toContain('school=norra-gymnasiet')
  await expect(queues.getByRole('link').first()).toHaveAttribute('href', /school=norra-gymnasiet/)
})

test(
  'account and freshness stay on screen beside eight views and administration',
  { tag: '@full' },
  async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 720 })
    await signIn(page.request, await newUser(page.request, { role: 'admin' }))
    for (const year of [2024, 2025, 2026, 2027, 2028, 2029, 2030, 2031]) {
      const data = { list: 'declarations-of-interest', name: `Start ${year}`, query: { year: [year] }, shared: false }
      expect((await page.request.post('/api/views', { headers, data })).ok()).toBe(true)
    }
    await open(page, '/today')
    const menu = page.getByRole('navigation', { name: 'Huvudmeny' }).filter({ visible: true })
    await expect(menu.getByRole('link', { name: /^Start / })).toHaveCount(8)
    await expect(page.getByRole('button', { name: /Eva Ek/ }).filter({ visible: true })).toBeInViewport({ ratio: 1 })
    const fresh = page.getByRole('region', { name: 'Hur färska uppgifterna är' }).filter({ visible: true })
    await expect(fresh.getByText('Uppdaterad', { exact: true })).toBeInViewport({ ratio: 1 })
    await expect(fresh.getByTitle(/^Uppdaterad för .* sedan$/)).toBeVisible()
    const heights = await menu
      .getByRole('link')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
    expect(new Set(heights)).toEqual(new Set([28]))
    await expect(menu.getByRole('link', { name: 'Administration' })).toBeInViewport({ ratio: 1 })
    await menu
      .getByRole('link', { name: /^Start / })
      .last()
      .scrollIntoViewIfNeeded()
    await expectAccessible(page)
    await signOut(page)
    await expect(page).toHaveURL(/\/signin/)
  },
)
