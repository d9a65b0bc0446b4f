import type { Page } from '@playwright/test'
import { type Account, admin, expect, expectUsable, joinAs, manager, nextStart, open, staff, test } from './fixtures'
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
const hasQueues = (page: Page) => expect(page.locator('[data-day-line]').first()).toBeVisible()

type Screen = { path: string; act?: (page: Page) => Promise<unknown> }
const SCREENS: { whose: string; account: Account | null; screens: Screen[] }[] = [
  {
    whose: 'of anybody',
    account: null,
    screens: [{ path: '/signin' }, { path: '/invite' }, { path: `/invite#${'x'.repeat(43)}` }],
  },
  {
    whose: 'of staff',
    account: staff,
    screens: [
      { path: '/today', act: hasQueues },
      { path: '/declarations', act: hasRows },
      { path: '/declarations', act: openLead },
      { path: '/questions', act: searchNothing },
      { path: '/queue/waiting', act: openLead },
      { path: '/interest?cohort=2023', act: openAll },
      { path: '/account' },
    ],
  },
  {
    whose: 'of a manager',
    account: manager,
    screens: [
      { path: '/interest', act: openAll },
      { path: `/interest?cohort=${nextStart + 1}`, act: openAll },
      { path: '/declarations' },
    ],
  },
  {
    whose: 'of an administrator',
    account: admin,
    screens: [
      { path: '/questions', act: openLead },
      { path: '/admin' },
      { path: '/admin/users' },
      { path: '/admin/activity' },
      { path: '/admin/work' },
      { path: '/admin/status' },
    ],
  },
  {
    whose: 'with documents',
    account: admin,
    screens: [{ path: '/help' }],
  },
]
const VARIANTS = [
  { name: 'desktop, light, Swedish', viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'sv-SE' },
  { name: 'phone, dark, English', viewport: { width: 360, height: 780 }, colorScheme: 'dark', locale: 'en-GB' },
] as const

for (const { name: variant, ...settings } of VARIANTS) {
  test.describe(variant, () => {
    test.use(settings)
    for (const { whose, account, screens } of SCREENS)
      test(`the screens ${whose} are accessible`, { tag: '@full' }, async ({ page, context }) => {
        test.setTimeout(120_000)
        if (account) await joinAs(context, account)
        for (const { path, act } of screens)
          await test.step(`${path} ${act?.name ?? ''}`, async () => {
            await open(page, path)
            await act?.(page)
            await expect(page.getByRole('heading').first()).toBeVisible()
            await expectUsable(page)
          })
      })
  })
}

test('the Content-Security-Policy is strict', async ({ page }) => {
  const policy = (await page.goto('/signin'))?.headers()['content-security-policy'] ?? ''
  expect(policy).toMatch(/script-src 'nonce-[^']+' 'strict-dynamic'/)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain("script-src 'unsafe-inline'")
})

for (const [account, paths] of [
  [staff, ['/admin/status', '/admin/protections']],
  [manager, ['/admin/users', '/contacts/AAAAAAAAAAAAAAAAAAAAAA']],
] as const)
  test(`${account.email} gets no page of another role`, async ({ page, context }) => {
    await joinAs(context, account)
    for (const path of paths) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: 'Du har inte tillgång till den här sidan' })).toBeVisible()
      await expect(page.getByRole('article')).toHaveCount(0)
      await expect(page.getByRole('link', { name: 'Administration' })).toHaveCount(0)
    }
  })

test.describe('as an administrator', () => {
  test.use({ as: admin })

  test('a link pressed with Ctrl opens another tab', { tag: '@full' }, async ({ page, context }) => {
    await open(page, '/declarations')
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Intresse per år' }).click({ modifiers: ['ControlOrMeta'] })
    // The first request of a new tab has no language yet.
    await expect((await opened).getByRole('heading', { level: 1, name: /^(Intresse|Interest)/ })).toBeVisible()
    await expect(page).toHaveURL(/\/declarations/)
    await hasRows(page)
  })
})
