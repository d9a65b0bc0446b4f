import type { Page } from '@playwright/test'
import type { Day } from '@/lib/contract/day'
import { expect, expectAccessible, joinAs, manager, newUser, open, read, signIn, staff, test } from './fixtures'
import { leadPane, press } from './leads'

test.use({ as: staff })

const lines = (page: Page) => page.locator('[data-day-line]')

const openAsNewUser = async (page: Page, path: string, schools: 'all' | string[] = 'all') => {
  await signIn(page.request, await newUser(page.request, { schools }))
  await open(page, path)
}

test('staff begin with the day, managers with the interest', async ({ page, context }) => {
  await open(page, '/')
  await expect(page).toHaveURL(/\/today$/)
  await expect(page.getByRole('heading', { level: 1, name: /^(God morgon|Hej|God kväll), Sara$/ })).toBeVisible()
  await joinAs(context, manager)
  await open(page, '/')
  await expect(page).toHaveURL(/\/interest/)
  await expect(page.getByRole('region', { name: 'Köer' })).toHaveCount(0)
})

test('each number is the number of rows that its line opens', async ({ page, context }) => {
  await openAsNewUser(page, '/today')
  const names = await lines(page).evaluateAll((all) => all.map((line) => line.getAttribute('data-day-line') ?? ''))
  expect(names).toContain('new')
  const heading = page.getByRole('heading', { level: 1 }).locator('..')
  for (const name of names) {
    await open(page, '/today')
    const line = page.locator(`[data-day-line=${name}]`)
    const href = (await line.getAttribute('href')) ?? ''
    await line.click()
    await expect(page).toHaveURL((url) => url.pathname + url.search === href)
    const list = href.startsWith('/questions') ? 'asked-questions' : 'declarations-of-interest'
    // New leads change both numbers.
    await expect(async () => {
      const day: Day = await read(context.request, '/api/day')
      const { [name as 'late']: count } = day.byList[list]
      const number = new Intl.NumberFormat('sv').format(count)
      await expect(heading).toContainText(number, { timeout: 1_000 })
    }).toPass()
  }
})

test('keys walk the lines, and g t returns to them', { tag: '@full' }, async ({ page }) => {
  await openAsNewUser(page, '/today')
  await page.keyboard.press('j')
  await expect(lines(page).first()).toBeFocused()
  await page.keyboard.press('k')
  await expect(lines(page).first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/(questions|declarations)\?/)
  await press(page, 'g t')
  await expect(page).toHaveURL(/\/today$/)
})

test('the day is beside a list until a lead is opened', { tag: '@full' }, async ({ page }) => {
  await open(page, '/questions')
  const day = leadPane(page).getByRole('list', { name: 'Att göra' })
  await expect(day).toBeVisible()
  await page.getByRole('option').first().click()
  await expect(day).toHaveCount(0)
})

test('the day is done when nothing is left', { tag: '@full' }, async ({ page, context }) => {
  const day: Day = await read(context.request, '/api/day')
  const none = { new: 0, late: 0, dueToday: 0, waiting: 0, mine: 0, followUps: 0, snoozed: 0, unassigned: 0 }
  const byList = Object.fromEntries(Object.entries(day.byList).map(([list, counts]) => [list, { ...counts, ...none }]))
  await page.route('**/api/day*', (route) => route.fulfill({ json: { ...day, ...none, byList, mentions: 0 } }))
  await open(page, '/questions')
  await expect(page.getByRole('heading', { name: 'Klart för i dag' })).toBeVisible()
  await expect(lines(page)).toHaveCount(0)
  await expectAccessible(page)
})

const MINE = '/questions?assignee=me&status=new&status=in-progress&snoozed=0&earlier=0'

test('a queue that is done leads to the next that has any, by Enter', async ({ page }) => {
  await openAsNewUser(page, MINE)
  await expect(page.getByText('Dina är klara', { exact: true })).toBeVisible()
  await expect(page.getByText(/väntar utan ansvarig\. Först .*(fråga|anmälan) till /)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Rensa filtren' })).toHaveCount(0)
  await expectAccessible(page)
  await expect(page.getByRole('link', { name: 'Fortsätt med Otilldelade' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/waiting=1&assignee=none/)
  await expect(page.getByRole('option').first()).toBeVisible()
})

test('all is said to be done only when nobody waits', { tag: '@full' }, async ({ page, context }) => {
  await openAsNewUser(page, '/today')
  const day: Day = await read(context.request, '/api/day')
  const none = { new: 0, late: 0, dueToday: 0, waiting: 0, mine: 0, followUps: 0, snoozed: 2, unassigned: 0 }
  const byList = Object.fromEntries(Object.entries(day.byList).map(([list, counts]) => [list, { ...counts, ...none }]))
  await page.route('**/api/day*', (route) => route.fulfill({ json: { ...day, ...none, byList } }))
  await open(page, MINE)
  const list = page.getByRole('main').locator('section').first()
  await expect(list.getByText('Klart för i dag', { exact: true })).toBeVisible()
  await expect(list).toContainText('2 påminns senare.')
})

test('a user without schools sees what to do', { tag: '@full' }, async ({ page }) => {
  await openAsNewUser(page, '/today', [])
  await expect(page.getByRole('heading', { name: 'Du har inga skolor än' })).toBeVisible()
  await expectAccessible(page)
})

test('a queue has both lists: each links to the other', { tag: '@full' }, async ({ page }) => {
  await openAsNewUser(page, '/today')
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
