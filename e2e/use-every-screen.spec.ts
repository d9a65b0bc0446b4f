import type { Page } from '@playwright/test'
import { expect, expectUsable, joinAs, nextStart, open, test } from './fixtures'
import { clickRow, rows, typeSearch } from './leads'

const hasRows = (page: Page) => expect(rows(page).first()).toBeVisible()
const openLead = (page: Page) => clickRow(page, 0)
const searchNothing = async (page: Page) => {
  await hasRows(page)
  await typeSearch(page, 'zzqqxx')
  await expect(page.getByRole('option')).toHaveCount(0)
}
const openAll = (page: Page) =>
  page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)))
const hasPlan = (page: Page) => expect(page.locator('main a[href^="/queue/"]').first()).toBeVisible()

type Screen = { path: string; act?: (page: Page) => Promise<unknown> }
const screensOf: Record<'anybody' | 'staff' | 'manager' | 'admin', Screen[]> = {
  anybody: [{ path: '/signin' }, { path: '/invite' }, { path: `/invite#${'x'.repeat(43)}` }],
  staff: [
    { path: '/today', act: hasPlan },
    { path: '/declarations', act: hasRows },
    { path: '/declarations', act: openLead },
    { path: '/questions', act: searchNothing },
    { path: '/queue/waiting', act: openLead },
    { path: '/interest?cohort=2023', act: openAll },
    { path: '/exports' },
    { path: '/account' },
    { path: '/help' },
  ],
  manager: [
    { path: '/interest', act: openAll },
    { path: `/interest?cohort=${nextStart + 1}`, act: openAll },
    { path: '/declarations' },
  ],
  admin: [
    { path: '/questions', act: openLead },
    { path: '/admin' },
    { path: '/admin/users' },
    { path: '/admin/activity' },
    { path: '/admin/work' },
    { path: '/admin/status' },
  ],
}
const VARIANTS = [
  { name: 'desktop, light, Swedish', viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'sv-SE' },
  { name: 'phone, dark, English', viewport: { width: 360, height: 780 }, colorScheme: 'dark', locale: 'en-GB' },
] as const

for (const { name: variant, ...settings } of VARIANTS) {
  test.describe(variant, () => {
    test.use(settings)
    for (const who of ['anybody', 'staff', 'manager', 'admin'] as const)
      test(`the screens of ${who} are accessible`, { tag: '@full' }, async ({ page, context }) => {
        test.setTimeout(120_000)
        if (who !== 'anybody') await joinAs(context, who)
        for (const { path, act } of screensOf[who])
          await test.step(`${path} ${act?.name ?? ''}`, async () => {
            await open(page, path)
            await act?.(page)
            await expect(page.getByRole('heading').first()).toBeVisible()
            await expectUsable(page)
          })
      })
  })
}

for (const [who, path] of [
  ['staff', '/admin/status'],
  ['manager', '/contacts/AAAAAAAAAAAAAAAAAAAAAA'],
] as const)
  test(`${who} gets no page of another role`, async ({ page, context }) => {
    await joinAs(context, who)
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Du har inte tillgång till den här sidan' })).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Administration' })).toHaveCount(0)
  })
