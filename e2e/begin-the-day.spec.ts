import type { Page } from '@playwright/test'
import type { Day } from '@/lib/contract/day'
import { comeIn, expect, expectAccessible, manager, newPerson, open, read, signIn, staff, test } from './fixtures'
import { leadPane, press } from './leads'

test.use({ as: staff })

const lines = (page: Page) => page.locator('[data-day-line]')

/** Somebody new, with nothing of their own yet. */
const comes = async (page: Page, path: string, schools: 'all' | string[] = 'all') => {
  await signIn(page.request, await newPerson(page.request, { schools }))
  await open(page, path)
}

test('whoever may read leads begins with the day, whoever may only count with the interest', async ({
  page,
  context,
}) => {
  await open(page, '/')
  await expect(page).toHaveURL(/\/today$/)
  await expect(page.getByRole('heading', { level: 1, name: /^(God morgon|Hej|God kväll), Sara$/ })).toBeVisible()
  await comeIn(context, manager)
  await open(page, '/')
  await expect(page).toHaveURL(/\/interest/)
  await expect(page.getByRole('region', { name: 'Köer' })).toHaveCount(0)
})

test('each number is the number of rows that its line opens', async ({ page, context }) => {
  await comes(page, '/today')
  const names = await lines(page).evaluateAll((all) => all.map((line) => line.getAttribute('data-day-line') ?? ''))
  expect(names).toContain('new')
  // The list's own number beside its name.
  const heading = page.getByRole('heading', { level: 1 }).locator('..')
  for (const name of names) {
    await open(page, '/today')
    const line = page.locator(`[data-day-line=${name}]`)
    const href = (await line.getAttribute('href')) ?? ''
    await line.click()
    await expect(page).toHaveURL((url) => url.pathname + url.search === href)
    const list = href.startsWith('/questions') ? 'asked-questions' : 'declarations-of-interest'
    // Leads come in meanwhile, and show in both.
    await expect(async () => {
      const day: Day = await read(context.request, '/api/day')
      const { [name as 'late']: count } = day.byList[list]
      const number = new Intl.NumberFormat('sv').format(count)
      await expect(heading).toContainText(number, { timeout: 1_000 })
    }).toPass()
  }
})

test('keys walk the lines, and g t comes back to them', { tag: '@full' }, async ({ page }) => {
  await comes(page, '/today')
  await page.keyboard.press('j')
  await expect(lines(page).first()).toBeFocused()
  await page.keyboard.press('k')
  await expect(lines(page).first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/(questions|declarations)\?/)
  await press(page, 'g t')
  await expect(page).toHaveURL(/\/today$/)
})

test('the day stands beside a list until a lead is opened', { tag: '@full' }, async ({ page }) => {
  await open(page, '/questions')
  const day = leadPane(page).getByRole('list', { name: 'Att göra' })
  await expect(day).toBeVisible()
  await page.getByRole('option').first().click()
  await expect(day).toHaveCount(0)
})

test('is done, truly, when nothing is left', { tag: '@full' }, async ({ page, context }) => {
  const day: Day = await read(context.request, '/api/day')
  const none = { new: 0, late: 0, dueToday: 0, waiting: 0, mine: 0, followUps: 0, snoozed: 0, unassigned: 0 }
  const byList = Object.fromEntries(Object.entries(day.byList).map(([list, told]) => [list, { ...told, ...none }]))
  await page.route('**/api/day*', (route) => route.fulfill({ json: { ...day, ...none, byList, mentions: 0 } }))
  await open(page, '/questions')
  await expect(page.getByRole('heading', { name: 'Klart för i dag' })).toBeVisible()
  await expect(lines(page)).toHaveCount(0)
  await expectAccessible(page)
})

test('a person without schools is told what to do', { tag: '@full' }, async ({ page }) => {
  await comes(page, '/today', [])
  await expect(page.getByRole('heading', { name: 'Du har inga skolor än' })).toBeVisible()
  await expectAccessible(page)
})

test('a queue is of both lists: each says what the other has, and leads there', { tag: '@full' }, async ({ page }) => {
  await comes(page, '/today')
  const queues = page.getByRole('region', { name: 'Köer' }).getByRole('link')
  await expect(queues).toHaveCount(6)
  await expectAccessible(page)
  await queues.filter({ hasText: 'Väntar på svar' }).click()
  await expect(page).toHaveURL(/\/declarations\?waiting=1/)
  await page.getByRole('link', { name: /^Visa: [\d\s]+ frågor till i samma kö/ }).click()
  await expect(page).toHaveURL(/\/questions\?waiting=1/)
  await expect(page.getByRole('link', { name: /^Visa: [\d\s]+ anmälningar till i samma kö/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Väntar på svar' })).toHaveAttribute('aria-current', 'page')
  await open(page, '/questions')
  await expect(page.getByRole('listbox')).toBeVisible()
  await expect(page.getByText('till i samma kö')).toHaveCount(0)
})
