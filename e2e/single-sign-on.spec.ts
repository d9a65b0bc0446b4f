import type { Page } from '@playwright/test'
import { awake, bootstrapAdmin, CONNECTED, expect, expectAccessible, expectToFit, open, signIn, test } from './fixtures'

test.describe.configure({ mode: 'serial' })

/** At the provider's own page. */
async function signInAs(page: Page, who: string) {
  await open(page, `${CONNECTED}/signin`)
  await page.getByRole('button', { name: 'Logga in med Skolkontot' }).click()
  await page.getByRole('link', { name: who }).click()
}

test('somebody new comes in by their groups, out again everywhere, and is asked anew who they are', async ({
  page,
}) => {
  await signInAs(page, 'karin')
  await expect(page.getByRole('heading', { level: 1, name: /Karin$/ })).toBeVisible()
  await awake(page)
  await page.getByRole('button', { name: /Karin Holm/ }).click()
  await page.getByRole('menuitem', { name: 'Logga ut' }).click()
  await expect(page.getByRole('heading', { name: 'Logga ut?' })).toBeVisible()
  await page.getByRole('button', { name: 'Logga ut' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Du är utloggad.' })).toBeVisible()
  expect((await page.request.get(`${CONNECTED}/api/high-schools`)).status()).toBe(401)
  await awake(page)
  await page.getByRole('button', { name: 'Logga in med Skolkontot' }).click()
  await expect(page.getByRole('heading', { name: 'Vem är du?' })).toBeVisible()
})

test('somebody without access is told so, with a code, and may take another account', async ({ page }) => {
  await signInAs(page, 'vera')
  await expect(
    page.getByRole('alert').filter({ hasText: /har inte tillgång till Intag.* Felkod: [2-9A-Z]{6}\./ }),
  ).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectToFit(page)
  await awake(page)
  await page.getByRole('button', { name: 'Använd ett annat konto' }).click()
  await page.getByRole('link', { name: 'rolf' }).click()
  await expect(page.getByRole('heading', { name: /^Intresse/ })).toBeVisible()
  expect((await page.request.get(`${CONNECTED}/api/declarations-of-interest`)).status(), 'a manager').toBe(403)
})

test('an administrator sees how the provider does, why somebody was refused, and what it gives a person', async ({
  page,
}) => {
  await signIn(page.request, bootstrapAdmin, CONNECTED)
  await open(page, `${CONNECTED}/admin/status`)
  const card = page.getByRole('region', { name: /Skolkontot/ })
  await expect(card).toContainText('Fungerar')
  await expect(card).toContainText('OIDC_ROLE_MAP och OIDC_SCHOOL_MAP ger personen ingenting.')
  await expectAccessible(page)

  await open(page, `${CONNECTED}/admin/users`)
  await page.getByRole('button', { name: 'Ändra Karin Holm' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('bestäms av er inloggningstjänst')
  await expect(dialog.getByRole('radio')).toHaveCount(0)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Ta bort kopplingen' }).click()
  await expect(dialog).toContainText('Kontot kopplas vid nästa inloggning')
})
