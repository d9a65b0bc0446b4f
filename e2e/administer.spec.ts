import type { APIRequestContext, Page } from '@playwright/test'
import type { User } from '@/lib/contract/user'
import { ACCOUNTS, awake, expect, expectAccessible, open, read, test } from './fixtures'
import { decide, declarations } from './leads'

test.use({ as: 'admin' })

const usersOf = async (request: APIRequestContext): Promise<User[]> => (await read(request, '/api/users')).users
const dialog = (page: Page) => page.getByRole('dialog')

test('a user is invited with a link that works, found, given all schools and disabled', async ({ page, pageAs }) => {
  const name = `Åke Östlund ${Date.now()}`
  const email = `ake.${Date.now()}@skola.example`
  await open(page, '/admin/users')
  await page.getByRole('button', { name: 'Lägg till', exact: true }).click()
  await dialog(page).getByLabel('Namn').fill(name)
  await dialog(page).getByLabel('E-post').fill(email)
  await expectAccessible(page)
  await dialog(page).getByRole('checkbox').first().check()
  await dialog(page).getByRole('button', { name: 'Skapa inbjudan' }).click()
  const link = await dialog(page).getByLabel('Inbjudningslänk').inputValue()
  const theirs = await pageAs()
  await theirs.goto(`/invite${link.slice(link.indexOf('#'))}`)
  await expect(theirs.getByLabel('Nytt lösenord')).toBeVisible()

  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: 'Sök namn eller e-post' }).fill(name.toUpperCase())
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: '@' })
  await expect(row).toHaveCount(1)
  await expect(row).toContainText('Inbjuden')
  const change = row.getByRole('button', { name: `Ändra ${name}` })
  await change.click()
  await dialog(page)
    .getByRole('radio', { name: /^Alla skolor/ })
    .check()
  await dialog(page).getByRole('button', { name: 'Spara' }).click()
  await expect(row).toContainText('Alla skolor')
  await change.click()
  await expect(dialog(page)).toContainText('Personen loggas ut direkt')
  await dialog(page).getByRole('button', { name: 'Stäng av' }).click()
  await expect(row).toContainText('Avstängd')
  const user = (await usersOf(page.request)).find((one) => one.email === email)
  expect(user).toMatchObject({ schools: 'all', disabled: true })
})

test('what is refused stays as it was chosen, and the form says why at the field', async ({ page, allowError }) => {
  allowError(/Failed to load resource/)
  await page.route('**/api/sign-in-rules', (route) => route.fulfill({ status: 500, json: {} }))
  await open(page, '/admin/users')
  const rules = page.getByRole('form', { name: 'Regler för inloggning' })
  await rules.getByRole('checkbox', { name: 'Chef' }).check()
  await rules.getByRole('button', { name: 'Spara' }).click()
  await expect(rules.getByText('Det gick inte att spara.', { exact: false })).toBeVisible()
  await expect(rules.getByRole('checkbox', { name: 'Chef' })).toBeChecked()

  const users = await usersOf(page.request)
  const admins = users.filter(({ role, disabled, pending }) => role === 'admin' && !disabled && !pending)
  expect(admins).toHaveLength(1)
  await page.getByRole('button', { name: `Ändra ${admins[0]?.name}` }).click()
  await dialog(page).getByRole('radio', { name: 'Chef' }).check()
  await dialog(page).getByRole('button', { name: 'Spara' }).click()
  const role = dialog(page).getByRole('group', { name: 'Roll' })
  await expect(role).toHaveAccessibleDescription(/administratör/)
  await expect(role.getByRole('alert')).toBeInViewport()
  await expect(role.getByRole('radio', { name: 'Chef' })).toBeFocused()
})

test('the activity log is searched by lead and user, and holds ids only', async ({ page, requestAs }) => {
  const colleague = await requestAs('staff')
  const [lead] = await declarations(colleague, 'limit=1&sort=createdAt&offset=11')
  const { id = '', user } = lead ?? {}
  await decide(colleague, 'declarations-of-interest', id, { status: 'in-progress' })
  await open(page, '/admin/activity')
  await page.getByLabel('Ärendets id').fill(id)
  await page.getByRole('button', { name: 'Sök', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`id=${id}`))
  const row = page.getByRole('row').filter({ hasText: 'Ändrade intresseanmälan' }).first()
  await expect(row).toContainText('till Påbörjad')
  await expect(row).toContainText(id)
  await expect(page.getByRole('table')).not.toContainText(user?.email ?? user?.phone ?? '@')
  await page.getByRole('combobox', { name: 'Händelse' }).selectOption('signIns')
  await expect(page.getByText('Inga träffar')).toBeVisible()
  await page.reload()
  await awake(page)
  await expect(page.getByLabel('Ärendets id')).toHaveValue(id)
  await page.getByRole('button', { name: 'Rensa' }).click()
  const person = (await usersOf(page.request)).find(({ email }) => email === ACCOUNTS.staff.email)
  await page.getByLabel('Person').selectOption(person?.id ?? '')
  await expect(page.getByRole('row').nth(1)).toContainText(person?.name ?? '')
  await page.getByRole('group', { name: 'Delar av loggen' }).getByText('Inloggningar').click()
  await expect(page.getByRole('row').filter({ hasText: 'Loggade in med lösenord' }).first()).toBeVisible()
  await expectAccessible(page)
})

test('a reply template is written with placeholders, previewed and deleted', async ({ page }) => {
  const name = `Mall ${Date.now()}`
  await open(page, '/admin/templates')
  await expect(page, 'administrators have them among the ways of working').toHaveURL(/\/admin\/work#templates$/)
  await page.getByRole('button', { name: 'Ny mall' }).click()
  await dialog(page).getByLabel('Mallens namn').fill(name)
  await dialog(page).getByLabel('Ämne').fill('Välkommen till ')
  await dialog(page).getByRole('button', { name: 'Infoga Skola' }).click()
  await dialog(page).getByLabel('Text', { exact: true }).fill('Hej {firstName}!\n{förnamn}')
  const preview = page.getByRole('region', { name: 'Så blir mejlet' })
  await expect(preview).toContainText('Välkommen till Norra Gymnasiet')
  await expect(preview).toContainText('Hej Åsa!')
  await expect(preview).toContainText('Det här fylls inte i: {förnamn}')
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Spara' }).click()
  await expect(dialog(page)).toBeHidden()

  const entry = page.getByRole('region', { name: 'Mallar' }).getByRole('button', { name })
  await entry.click()
  await dialog(page).getByRole('button', { name: 'Ta bort' }).click()
  await page
    .getByRole('dialog', { name: `Ta bort ${name}?` })
    .getByRole('button', { name: 'Ta bort' })
    .click()
  await expect(entry).toHaveCount(0)
})

test('the first page of administration says what is not set, and leads there', async ({ page }) => {
  await open(page, '/admin')
  const gap = page.getByRole('listitem').filter({ hasText: 'bara ett lösenord' })
  await gap.getByRole('link', { name: 'Användare' }).click()
  await expect(page.getByRole('form', { name: 'Regler för inloggning' })).toBeInViewport()
  const pages = page.getByRole('navigation', { name: 'Administration' })
  for (const name of ['Logg', 'Arbetssätt', 'Drift', 'Användare', 'Översikt']) {
    await pages.getByRole('link', { name }).click()
    await expect(pages.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
  }
})
