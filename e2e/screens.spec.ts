import type { Page } from '@playwright/test'
import {
  type Account,
  admin,
  expect,
  expectAccessible,
  expectToFit,
  manager,
  open,
  signIn,
  staff,
  test,
} from './fixtures'

const openLead = async (page: Page) => {
  await page.getByRole('option').first().click()
  await expect(page).toHaveURL(/lead=/)
}
const searchNothing = async (page: Page) => {
  await page.keyboard.press('/')
  await page.keyboard.type('zzqqxx')
  await expect(page.getByRole('option')).toHaveCount(0)
}

type Screen = { name: string; account: Account | null; path: string; act?: (page: Page) => Promise<void> }
const SCREENS: Screen[] = [
  { name: 'sign-in', account: null, path: '/signin' },
  { name: 'invitation', account: null, path: '/invite#0123' },
  { name: 'declarations', account: staff, path: '/declarations' },
  { name: 'an open declaration', account: staff, path: '/declarations', act: openLead },
  { name: 'an open question', account: admin, path: '/questions', act: openLead },
  { name: 'a search without a match', account: staff, path: '/questions', act: searchNothing },
  { name: 'interest per year', account: manager, path: '/interest' },
  { name: 'no access', account: manager, path: '/declarations' },
  { name: 'one’s own account', account: staff, path: '/account' },
  { name: 'the users', account: admin, path: '/admin/users' },
  { name: 'the log', account: admin, path: '/admin/activity' },
  { name: 'who has looked', account: admin, path: '/admin/activity/leads' },
  { name: 'what somebody read', account: admin, path: '/admin/activity/person' },
  { name: 'the protected identities', account: admin, path: '/admin/protections' },
  { name: 'how the system does', account: admin, path: '/admin/status' },
]
const VARIANTS = [
  { name: 'desktop, light, Swedish', viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'sv-SE' },
  { name: 'phone, dark, English', viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'en-GB' },
] as const

for (const { name: variant, ...settings } of VARIANTS) {
  test.describe(variant, () => {
    test.use(settings)
    for (const { name, account, path, act } of SCREENS) {
      test(`${name} can be used by everyone`, async ({ page, context }) => {
        if (account) await signIn(context.request, account)
        await open(page, path)
        if ((account === staff || account === admin) && /^\/(declarations|questions)/.test(path))
          await expect(page.getByRole('option').first()).toBeVisible()
        await act?.(page)
        await expect(page.getByRole('heading').first()).toBeVisible()
        await expectAccessible(page)
        await expectToFit(page)
      })
    }
  })
}

test('the security headers are strict and every script carries the nonce', async ({ page }) => {
  const response = await page.goto('/signin')
  const policy = response?.headers()['content-security-policy'] ?? ''
  expect(policy).toMatch(/script-src 'nonce-[^']+' 'strict-dynamic'/)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain("script-src 'unsafe-inline'")
  expect(response?.headers()['x-content-type-options']).toBe('nosniff')
})

test('a link pressed with Ctrl opens another tab, and this one stays as it is', async ({ page, context }) => {
  await signIn(context.request, admin)
  await open(page, '/declarations')
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Intresse per år' }).click({ modifiers: ['ControlOrMeta'] })
  // The first request of a new tab is not yet in the language of the test.
  await expect((await opened).getByRole('heading', { level: 1, name: /^(Intresse|Interest)/ })).toBeVisible()
  await expect(page).toHaveURL(/\/declarations/)
  await expect(page.getByRole('option').first()).toBeVisible()
})
