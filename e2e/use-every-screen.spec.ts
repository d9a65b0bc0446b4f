import type { Page } from '@playwright/test'
import {
  type Account,
  admin,
  comeIn,
  expect,
  expectAccessible,
  expectToFit,
  manager,
  open,
  staff,
  test,
} from './fixtures'

const hasRows = (page: Page) => expect(page.getByRole('option').first()).toBeVisible()
const openLead = async (page: Page) => {
  await hasRows(page)
  await page.getByRole('option').first().click()
  await expect(page).toHaveURL(/lead=/)
}
const searchNothing = async (page: Page) => {
  await hasRows(page)
  await page.keyboard.press('/')
  await page.keyboard.type('zzqqxx')
  await expect(page.getByRole('option')).toHaveCount(0)
}

type Screen = { name: string; path: string; act?: (page: Page) => Promise<void> }
const SCREENS: { whose: string; account: Account | null; screens: Screen[] }[] = [
  {
    whose: 'of anybody',
    account: null,
    screens: [
      { name: 'sign-in', path: '/signin' },
      { name: 'invitation', path: '/invite#0123' },
    ],
  },
  {
    whose: 'of staff',
    account: staff,
    screens: [
      { name: 'declarations', path: '/declarations', act: hasRows },
      { name: 'an open declaration', path: '/declarations', act: openLead },
      { name: 'a search without a match', path: '/questions', act: searchNothing },
      { name: 'one’s own account', path: '/account' },
    ],
  },
  {
    whose: 'of a manager',
    account: manager,
    screens: [
      { name: 'interest per year', path: '/interest' },
      { name: 'no access', path: '/declarations' },
    ],
  },
  {
    whose: 'of an administrator',
    account: admin,
    screens: [
      { name: 'an open question', path: '/questions', act: openLead },
      { name: 'the users', path: '/admin/users' },
      { name: 'the reply templates', path: '/admin/templates' },
      { name: 'the log', path: '/admin/activity' },
      { name: 'who has looked', path: '/admin/activity/leads' },
      { name: 'what somebody read', path: '/admin/activity/person' },
      { name: 'the protected identities', path: '/admin/protections' },
      { name: 'how the system does', path: '/admin/status' },
    ],
  },
]
const VARIANTS = [
  { name: 'desktop, light, Swedish', viewport: { width: 1440, height: 900 }, colorScheme: 'light', locale: 'sv-SE' },
  { name: 'phone, dark, English', viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'en-GB' },
] as const

for (const { name: variant, ...settings } of VARIANTS) {
  test.describe(variant, () => {
    test.use(settings)
    for (const { whose, account, screens } of SCREENS)
      test(`the screens ${whose} can be used by everyone`, { tag: '@full' }, async ({ page, context }) => {
        test.setTimeout(120_000)
        if (account) await comeIn(context, account)
        for (const { name, path, act } of screens)
          await test.step(name, async () => {
            await open(page, path)
            await act?.(page)
            await expect(page.getByRole('heading').first()).toBeVisible()
            await expectAccessible(page)
            await expectToFit(page)
          })
      })
  })
}

test('the main screens can be used by everyone', async ({ page, context }) => {
  await comeIn(context, admin)
  for (const [path, act] of [
    ['/today', undefined],
    ['/questions', openLead],
    ['/interest', undefined],
  ] as const)
    await test.step(path, async () => {
      await open(page, path)
      await act?.(page)
      await expectAccessible(page)
      await expectToFit(page)
    })
})

test('the security headers are strict and every script carries the nonce', async ({ page }) => {
  const response = await page.goto('/signin')
  const policy = response?.headers()['content-security-policy'] ?? ''
  expect(policy).toMatch(/script-src 'nonce-[^']+' 'strict-dynamic'/)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain("script-src 'unsafe-inline'")
  expect(response?.headers()['x-content-type-options']).toBe('nosniff')
})

test(
  'a link pressed with Ctrl opens another tab, and this one stays as it is',
  { tag: '@full' },
  async ({ page, context }) => {
    await comeIn(context, admin)
    await open(page, '/declarations')
    const opened = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Intresse per år' }).click({ modifiers: ['ControlOrMeta'] })
    // The first request of a new tab is not yet in the language of the test.
    await expect((await opened).getByRole('heading', { level: 1, name: /^(Intresse|Interest)/ })).toBeVisible()
    await expect(page).toHaveURL(/\/declarations/)
    await expect(page.getByRole('option').first()).toBeVisible()
  },
)
