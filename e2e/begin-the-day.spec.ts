import type { Page } from '@playwright/test'
import type { Day } from '@/lib/contract/day'
import { changeAnswers, expect, expectAccessible, joinAs, joinAsNew, open, test } from './fixtures'
import { press } from './leads'

test.use({ as: 'staff' })

const beginLink = (page: Page) => page.getByRole('link', { name: 'Börja' })

test('staff begin with the day, managers with the interest', async ({ page, context }) => {
  await open(page, '/')
  await expect(page).toHaveURL(/\/today$/)
  await expect(page.getByRole('heading', { level: 1, name: /^(God morgon|Hej|God kväll), Sara$/ })).toBeVisible()
  await joinAs(context, 'manager')
  await open(page, '/')
  await expect(page).toHaveURL(/\/interest/)
  await expect(page.getByRole('region', { name: 'Köer' })).toHaveCount(0)
})

test('one button or Enter begins, and g t returns', { tag: '@full' }, async ({ page }) => {
  await joinAsNew(page)
  await open(page, '/today')
  await expect(page.getByRole('main')).toContainText(/Först .*(fråga|anmälan) till /)
  await expect(page.getByRole('main').getByRole('region', { name: 'Köer' }), 'the menu has them').toBeHidden()
  // The link leads to the one that is late the longest, once it is known.
  await expect(beginLink(page)).toHaveAttribute('href', /^\/queue\/late\?lead=/)
  const href = await beginLink(page).getAttribute('href')
  await press(page, 'Enter')
  await expect(page).toHaveURL(href ?? '')
  await press(page, 'g t')
  await expect(page).toHaveURL(/\/today$/)
})

test('the day is done when nothing is left', { tag: '@full' }, async ({ page }) => {
  const none = { new: 0, late: 0, dueToday: 0, waiting: 0, mine: 0, followUps: 0, snoozed: 0, unassigned: 0 }
  await changeAnswers(page, '**/api/day*', (day: Day) => ({ ...day, ...none, mentions: 0 }))
  await open(page, '/today')
  // The page comes with the day as it is; what the browser asks for later is another.
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect(page.getByRole('heading', { name: 'Klart för i dag' })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(beginLink(page)).toHaveCount(0)
  await expectAccessible(page)
})

test('a user without schools sees what to do', { tag: '@full' }, async ({ page }) => {
  await joinAsNew(page, { schools: [] })
  await open(page, '/today')
  await expect(page.getByRole('heading', { name: 'Du har inga skolor än' })).toBeVisible()
  await expectAccessible(page)
})
