import { bootstrapAdmin, CONNECTED, expect, expectAccessible, test } from './fixtures'

test.use({ baseURL: CONNECTED, as: bootstrapAdmin })

test('an administrator first chooses from when leads are work', { tag: '@full' }, async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveURL(`${CONNECTED}/admin/work`)
  await expect(page.getByLabel('Ärenden räknas som att göra')).toHaveValue('today')
  await expectAccessible(page)
})

test('a link opened at another address than Intag’s is not said to be used', async ({ pageAs }) => {
  const theirs = await pageAs()
  await theirs.goto(`${CONNECTED.replace('localhost', '127.0.0.1')}/invite#${'x'.repeat(43)}`)
  await theirs.getByLabel('Nytt lösenord').fill('en mening med många ord')
  await theirs.getByLabel('Upprepa lösenordet').fill('en mening med många ord')
  await theirs.getByRole('button', { name: 'Spara lösenordet' }).click()
  await expect(theirs.getByRole('alert').getByText(/öppnat på en annan adress/)).toBeVisible()
})
