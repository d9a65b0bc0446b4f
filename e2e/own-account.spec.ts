import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import {
  ACCOUNTS,
  type Account,
  CONNECTED,
  expect,
  expectAccessible,
  expectUsable,
  fillSignIn,
  joinAs,
  joinAsNew,
  newUser,
  open,
  test,
} from './fixtures'

const PASSWORD = 'regnet faller på tisdagar'
const headers = { origin: CONNECTED }

test.use({ baseURL: CONNECTED })
// Wrong codes and passwords: the browser reports each refused request.
test.beforeEach(({ allowError }) => allowError(/40[013]/))

const dialog = (page: Page) => page.getByRole('dialog')

async function openAccountAsNew(page: Page) {
  const eva = await joinAsNew(page, { origin: CONNECTED })
  await open(page, '/account')
  return eva
}

async function signInAgain(page: Page, eva: Account): Promise<void> {
  // What the open page still asks for is not asked without a session.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await open(page, '/signin')
  await fillSignIn(page, eva)
}

/** Reads the key from the screen, as a user without a camera does. */
async function addApp(page: Page): Promise<{ app: TOTP; codes: string[] }> {
  await page.getByRole('button', { name: 'Lägg till en app' }).click()
  await expect(dialog(page).getByRole('img', { name: 'QR-kod att läsa av med appen' })).toBeVisible()
  await expectAccessible(page)
  const secret = (await dialog(page).locator('code').innerText()).replaceAll(/\s/g, '')
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  await dialog(page).getByLabel('Kod från appen').fill(app.generate())
  await dialog(page).getByRole('button', { name: 'Lägg till', exact: true }).click()
  const codes = dialog(page).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  return { app, codes: await codes.allInnerTexts() }
}

test('a changed password ends the other sessions', async ({ page, requestAs }) => {
  const eva = await openAccountAsNew(page)
  const elsewhere = await requestAs(eva)
  await page.getByRole('button', { name: 'Byt lösenord' }).click()
  const form = dialog(page)
  const changeFrom = async (current: string) => {
    await form.getByLabel('Nuvarande lösenord').fill(current)
    await form.getByLabel('Nytt lösenord').fill(PASSWORD)
    await form.getByLabel('Upprepa lösenordet').fill(PASSWORD)
    await form.getByRole('button', { name: 'Byt lösenord' }).click()
  }
  await changeFrom('inte det nuvarande')
  await expect(form.getByText('Det är inte ditt nuvarande lösenord.')).toBeVisible()
  await expectAccessible(page)
  await changeFrom(eva.password)
  await expect(page.getByText('Lösenordet är bytt.')).toBeVisible()
  expect((await elsewhere.get('/api/status')).status()).toBe(401)
})

test('with an app, signing in asks for its code, or for a recovery code', async ({ page }) => {
  const eva = await openAccountAsNew(page)
  const { app, codes } = await addApp(page)
  await dialog(page).getByRole('button', { name: 'Jag har sparat dem' }).click()
  await expect(page.getByText('10 koder kvar.')).toBeVisible()

  await signInAgain(page, eva)
  const code = page.getByLabel('Engångskod')
  await expect(code).toBeFocused()
  await expectAccessible(page)
  await code.fill('000000')
  await page.getByRole('button', { name: 'Fortsätt' }).click()
  await expect(page.getByText('Koden stämmer inte, eller är redan använd.')).toBeVisible()
  // The next one: the current code has been used.
  await code.fill(app.generate({ timestamp: Date.now() + 30_000 }))
  await page.getByRole('button', { name: 'Fortsätt' }).click()
  await expect(page).toHaveURL(/\/today/)

  await signInAgain(page, eva)
  await page.getByLabel('Engångskod').fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Fortsätt' }).click()
  await expect(page).toHaveURL(/\/today/)
  await open(page, '/account')
  await expect(page.getByText('9 koder kvar.')).toBeVisible()
  await page.getByRole('button', { name: 'Gör nya koder' }).click()
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Gör nya koder' }).click()
  await expect(dialog(page).getByRole('listitem')).toHaveCount(10)
  await dialog(page).getByRole('button', { name: 'Jag har sparat dem' }).click()
  await expect(page.getByText('10 koder kvar.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Gör nya koder' })).toBeFocused()
})

test('an administrator creates a link for a new password', async ({ page, request }) => {
  const eva = await newUser(request, { origin: CONNECTED })
  await joinAs(page.context(), 'bootstrapAdmin', CONNECTED)
  await open(page, '/admin/users')
  await page.getByLabel('Sök namn eller e-post').fill(eva.email)
  await page.getByRole('button', { name: 'Ändra Eva Ek' }).click()
  await dialog(page).getByRole('button', { name: 'Ny länk för lösenord' }).click()
  await expect(dialog(page).getByLabel('Ny länk för lösenord')).toHaveValue(/\/invite\?reset#/)
  await expectAccessible(page)
})

test('a role that needs a second factor is stopped without one', async ({ page, requestAs }) => {
  const boss = await requestAs('bootstrapAdmin')
  const rule = async (secondFactorFor: string[]) => {
    const data = { secondFactorFor }
    expect((await boss.put('/api/sign-in-rules', { headers, data })).status()).toBe(200)
  }
  await joinAsNew(page, { origin: CONNECTED, role: 'manager' })
  await rule(['manager'])
  try {
    await open(page, '/interest')
    await expect(page.getByRole('heading', { name: 'Ett steg till' })).toBeVisible()
    await expectUsable(page)
    await addApp(page)
    await dialog(page).getByRole('button', { name: 'Jag har sparat dem' }).click()
    await expect(page).toHaveURL(/\/interest/)
  } finally {
    await rule([])
  }
})

test('a sensitive change re-authenticates, and then continues', async ({ page }) => {
  await joinAs(page.context(), 'bootstrapAdmin', CONNECTED)
  await open(page, '/admin/users')
  let isLate = true
  // The answer ten minutes after the last proof.
  await page.route('**/api/users*', async (route) => {
    if (!isLate || route.request().method() !== 'POST') return route.continue()
    isLate = false
    const json = { error: 'Proof needed', reason: 'proof-by-password' }
    await route.fulfill({ status: 403, headers: { 'intag-reason': 'proof-by-password' }, json })
  })
  await page.getByRole('button', { name: 'Lägg till', exact: true }).click()
  await dialog(page).getByLabel('Namn').fill('Nils Ny')
  await dialog(page).getByLabel('E-post').fill(`nils.${Date.now()}@skolan.test`)
  await dialog(page).getByRole('checkbox').first().check()
  await dialog(page).getByRole('button', { name: 'Skapa inbjudan' }).click()
  const asking = page.getByRole('dialog', { name: 'Är det fortfarande du?' })
  await expect(asking.getByLabel('Lösenord', { exact: true })).toBeFocused()
  await expectAccessible(page)
  await asking.getByLabel('Lösenord', { exact: true }).fill(ACCOUNTS.bootstrapAdmin.password)
  await asking.getByRole('button', { name: 'Fortsätt' }).click()
  await expect(asking).toBeHidden()
  await expect(page.getByLabel('Inbjudningslänk')).toHaveValue(/\/invite#/)
})
