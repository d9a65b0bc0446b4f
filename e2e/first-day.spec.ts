import { bootstrapAdmin, CONNECTED, expect, expectAccessible, open, staff, test } from './fixtures'
import { showNew, totalOf } from './leads'

test.describe('of a service just connected', () => {
  test.use({ baseURL: CONNECTED, as: bootstrapAdmin })

  test('an administrator first chooses from when leads are work', { tag: '@full' }, async ({ page }) => {
    await page.goto('/')
    await expect(page).toHaveURL(`${CONNECTED}/admin/work`)
    await expect(page.getByRole('radio', { name: /Från i dag/ })).toBeChecked()
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
})

test.describe('for staff', () => {
  test.use({ as: staff })
  test('what waits is one press away, as many as the title says', { tag: '@full' }, async ({ page }) => {
    await open(page, '/questions')
    await page.getByRole('radio', { name: 'Att göra' }).check({ force: true })
    await expect(page).toHaveURL(/waiting=1/)
    await expect(async () => {
      await showNew(page)
      const total = await totalOf(page.request, 'asked-questions', 'waiting=true')
      await expect(page.getByRole('heading', { level: 1 }).locator('..')).toContainText(total.toLocaleString('sv-SE'), {
        timeout: 500,
      })
    }).toPass()
  })
})
