import type { Page } from '@playwright/test'
import type { Day } from '@/lib/contract/day'
import { expect, expectAccessible, joinAs, manager, newUser, open, read, signIn, staff, test } from './fixtures'
import { expectAsManyRows, press } from './leads'

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

test('each number of the menu is the number of rows that its queue has, and the title says it again', async ({
  page,
}) => {
  await openAsNewUser(page, '/today')
  const queues = page.getByRole('region', { name: 'Köer' }).filter({ visible: true }).getByRole('link')
  await expect(queues).toHaveCount(6)
  for (const name of ['Otilldelade', 'Väntar på svar', 'Nytt sedan sist']) {
    const queue = queues.filter({ hasText: name })
    await queue.click()
    await expect(queue).toHaveAttribute('aria-current', 'page')
    await expectAsManyRows(page, name)
  }
})

test('one button begins, keys walk what is beside it, and g t returns', { tag: '@full' }, async ({ page }) => {
  await openAsNewUser(page, '/today')
  await expect(page.getByRole('main')).toContainText(/Först .*(fråga|anmälan) till /)
  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: 'Börja' })).toBeFocused()
  await page.keyboard.press('k')
  await expect(lines(page).first()).toBeFocused()
  await page.keyboard.press('Enter')
  // The one that is late the longest.
  const { oldest }: Day = await read(page.request, '/api/day')
  await expect(page).toHaveURL(new RegExp(`/queue/late\\?lead=${oldest?.kind}\\+${oldest?.id}$`))
  await press(page, 'g t')
  await expect(page).toHaveURL(/\/today$/)
})

test('the button leads to a lead also while one that came in is looked at', { tag: '@full' }, async ({ page }) => {
  await openAsNewUser(page, '/today')
  const begin = page.getByRole('link', { name: 'Börja' })
  await expect(begin).toHaveAttribute('href', /lead=/)
  let isAsked = false
  await page.route(/\/api\/queues\/late\?.*limit=1(&|$)/, () => void (isAsked = true))
  const day: Day = await read(page.request, '/api/day')
  await page.route('**/api/day*', (route) => route.fulfill({ json: { ...day, late: day.late + 1 } }))
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect.poll(() => isAsked, { timeout: 1_000 }).toBe(true)
  }).toPass()
  await expect(begin).toHaveAttribute('href', /lead=/)
})

test(
  'the day says no number of the menu again, and nothing that is zero',
  { tag: '@full' },
  async ({ page, context }) => {
    await openAsNewUser(page, '/today')
    await expect(page.getByRole('main').getByRole('region', { name: 'Köer' })).toBeHidden()
    // Tests beside this one put leads aside.
    await expect(async () => {
      const day: Day = await read(context.request, '/api/day')
      const names = await lines(page).evaluateAll((all) => all.map((line) => line.getAttribute('data-day-line')))
      const more = (['dueToday', 'mentions', 'snoozed'] as const).filter((name) => day[name] > 0)
      expect(names).toEqual(['begin', ...(day.oldest === null ? [] : ['oldest']), ...more])
    }).toPass()
  },
)

test('the day is done when nothing is left', { tag: '@full' }, async ({ page, context }) => {
  const day: Day = await read(context.request, '/api/day')
  const none = { new: 0, late: 0, dueToday: 0, waiting: 0, mine: 0, followUps: 0, snoozed: 0, unassigned: 0 }
  await page.route('**/api/day*', (route) => route.fulfill({ json: { ...day, ...none, mentions: 0 } }))
  await open(page, '/today')
  // The page comes with the day as it is; what the browser asks for later is another.
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect(page.getByRole('heading', { name: 'Klart för i dag' })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(lines(page)).toHaveCount(0)
  await expectAccessible(page)
})

test('a user without schools sees what to do', { tag: '@full' }, async ({ page }) => {
  await openAsNewUser(page, '/today', [])
  await expect(page.getByRole('heading', { name: 'Du har inga skolor än' })).toBeVisible()
  await expectAccessible(page)
})
