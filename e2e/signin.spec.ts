import { expect, open, staff, test } from './fixtures'

test.describe('with a wrong password', () => {
  // The browser itself reports the refused request.
  test.use({ allowedError: /401/ })

  test('the person is told so and stays', async ({ page }) => {
    await open(page, '/signin')
    // Nobody's, or the next tests would be told of it; the answer is the same for everybody.
    await page.getByLabel('E-post').fill('somebody@demo.test')
    await page.getByLabel('Lösenord', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Logga in', exact: true }).click()
    await expect(page.getByRole('alert').filter({ hasText: /lösenord/i })).toBeVisible()
    await expect(page).toHaveURL(/\/signin/)
  })
})

test('somebody who is signed out is brought back to where they wanted to go', async ({ page }) => {
  await open(page, '/questions?status=new')
  await expect(page).toHaveURL(/\/signin/)
  await page.getByLabel('E-post').fill(staff.email)
  await page.getByLabel('Lösenord', { exact: true }).fill(staff.password)
  await page.getByRole('button', { name: 'Logga in', exact: true }).click()
  await expect(page.getByRole('heading', { name: /^Frågor/ })).toBeVisible()
  await expect(page).toHaveURL(/\/questions\?status=new/)
})

test('a demo account signs in with one click, and out again', async ({ page }) => {
  await open(page, '/signin')
  await page.getByRole('button', { name: /^Antagningspersonal/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: /Sara$/ })).toBeVisible()
  await page.getByRole('button', { name: /Sara Lindqvist/ }).click()
  await page.getByRole('menuitem', { name: 'Logga ut' }).click()
  await expect(page.getByRole('heading', { name: 'Logga in' })).toBeVisible()
  await open(page, '/declarations')
  await expect(page).toHaveURL(/\/signin/)
})
