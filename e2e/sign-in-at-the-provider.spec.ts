import type { Page } from '@playwright/test'
import { ready, CONNECTED, expect, expectAccessible, expectUsable, joinAs, open, test } from './fixtures'

test.use({ baseURL: CONNECTED })
test.describe.configure({ mode: 'serial' })

const byProvider = (page: Page) => page.getByRole('button', { name: 'Logga in med Skolkontot' }).click()

async function signInAs(page: Page, who: string) {
  await open(page, '/signin')
  await byProvider(page)
  await page.getByRole('link', { name: who }).click()
}

test('a new user signs in by groups, signs out everywhere, and must log in again', async ({ page }) => {
  await signInAs(page, 'karin')
  await expect(page.getByRole('heading', { level: 1, name: /Karin$/ })).toBeVisible()
  await ready(page)
  await page.getByRole('button', { name: /Karin Holm/ }).click()
  await page.getByRole('menuitem', { name: 'Logga ut' }).click()
  await expect(page.getByRole('heading', { name: 'Logga ut?' })).toBeVisible()
  await page.getByRole('button', { name: 'Logga ut' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Du är utloggad.' })).toBeVisible()
  expect((await page.request.get('/api/high-schools')).status()).toBe(401)
  await ready(page)
  await byProvider(page)
  await expect(page.getByRole('heading', { name: 'Vem är du?' })).toBeVisible()
})

test('a user without access is told why, and may take another account', async ({ page }) => {
  await signInAs(page, 'vera')
  await expect(page.getByRole('alert').filter({ hasText: 'ingen grupp eller roll som ger tillgång' })).toBeVisible()
  await page.setViewportSize({ width: 320, height: 640 })
  await expectUsable(page)
  await ready(page)
  await byProvider(page)
  await page.getByRole('link', { name: 'rolf' }).click()
  await expect(page.getByRole('heading', { name: /^Intresse/ })).toBeVisible()
  expect((await page.request.get('/api/declarations-of-interest')).status(), 'a manager').toBe(403)
})

test('an administrator sees the provider’s state and grants', async ({ page }) => {
  await joinAs(page.context(), 'bootstrapAdmin', CONNECTED)
  await open(page, '/admin/status')
  const card = page.getByRole('region', { name: /Skolkontot/ })
  await expect(card).toContainText('Fungerar')

  await open(page, '/admin/users')
  await page.getByRole('button', { name: 'Ändra Karin Holm' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('bestäms av er inloggningstjänst')
  await expect(dialog.getByRole('radio')).toHaveCount(0)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Ta bort kopplingen' }).click()
  await expect(dialog).toContainText('Kontot kopplas vid nästa inloggning')
})

test('a sensitive change re-authenticates at the provider, in another tab', async ({ page, allowError }) => {
  allowError(/403 \(Forbidden\).*\/api\/account\/sessions/)
  await signInAs(page, 'karin')
  await expect(page.getByRole('heading', { level: 1, name: /Karin$/ })).toBeVisible()
  // A second session, without a question: the provider knows her by now.
  await page.goto('about:blank')
  await page.context().clearCookies({ domain: 'localhost' })
  await open(page, '/signin')
  await byProvider(page)
  await expect(page.getByRole('heading', { level: 1, name: /Karin$/ })).toBeVisible()
  await open(page, '/account')
  let asked = 0
  // The answer ten minutes after the last proof.
  await page.route('**/api/account/sessions', async (route) => {
    if (route.request().method() !== 'DELETE') return route.continue()
    asked += 1
    if (asked > 1) return route.continue()
    const json = { error: 'Proof needed', reason: 'proof-by-provider' }
    await route.fulfill({ status: 403, headers: { 'intag-reason': 'proof-by-provider' }, json })
  })
  await page.getByRole('button', { name: 'Logga ut på alla andra enheter' }).click()
  const asking = page.getByRole('dialog', { name: 'Är det fortfarande du?' })
  await expect(asking.getByRole('button', { name: 'Logga in igen' })).toBeVisible()
  await expectAccessible(page)
  const opened = page.waitForEvent('popup')
  await asking.getByRole('button', { name: 'Logga in igen' }).click()
  const tab = await opened
  await expect(asking).toContainText('väntar på att du loggar in')
  await tab.getByRole('link', { name: 'karin' }).click()
  await expect(asking).toBeHidden()
  await expect(page.getByText('Du är utloggad på alla andra enheter.')).toBeVisible()
  expect(asked).toBe(2)
  await expect.poll(() => tab.isClosed() || new URL(tab.url()).pathname === '/proof').toBe(true)
})
