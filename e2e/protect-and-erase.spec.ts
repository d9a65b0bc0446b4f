import type { APIRequestContext, Page } from '@playwright/test'
import type { DeclarationOfInterestItem } from '@/lib/contract/lead'
import { downloaded, expect, expectAccessible, expectUsable, headers, open, pick, read, test } from './fixtures'
import { declarations, leadPane } from './leads'

test.use({ as: 'admin' })

/** An old lead with an e-mail, which no other test uses. */
const oldLead = async (request: APIRequestContext, offset: number) =>
  pick(
    await declarations(request, `sort=createdAt&offset=${offset}&limit=50`),
    ({ user }) => user.email !== null && user.firstName !== null,
  )

const rights = (page: Page) => page.getByRole('region', { name: 'Personens rättigheter' })

async function openRights(page: Page, { contactId }: DeclarationOfInterestItem): Promise<void> {
  await open(page, `/contacts/${contactId}`)
  await rights(page).getByRole('button', { name: 'Visa', exact: true }).click()
}

test('a protected person is shown to the users named; others see whom to ask', async ({ page, requestAs, pageAs }) => {
  // Three screens, each with an axe check.
  test.slow()
  const colleague = await requestAs('staff')
  const lead = await oldLead(colleague, 200)
  const email = lead.user.email ?? ''
  const view = { list: 'declarations-of-interest', name: 'Ring', query: { q: email }, shared: true }
  await colleague.post('/api/views', { headers, data: view })
  await openRights(page, lead)
  await expect(rights(page)).toContainText(`Vyn ”Ring · ${email}”.`)
  await rights(page).getByRole('button', { name: 'Skydda identiteten …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Skydda identiteten' })
  await dialog.getByRole('checkbox', { name: 'Anna Berg' }).check()
  await dialog.getByRole('textbox', { name: 'Varför' }).fill('Beslut av Skatteverket')
  await expectAccessible(page)
  const addresses = dialog.getByRole('group', { name: 'Känns igen på' }).getByRole('checkbox')
  for (const address of await addresses.all()) await address.uncheck()
  await dialog.getByRole('button', { name: 'Skydda' }).click()
  await expect(addresses.first(), 'at least one is needed').toBeFocused()
  for (const address of await addresses.all()) await address.check()
  await dialog.getByRole('button', { name: 'Skydda' }).click()
  await expect(rights(page)).toContainText('Identiteten är skyddad')
  await expect(page.getByText('Visas bara för Anna Berg')).toBeVisible()

  const theirs = await pageAs('staff')
  await open(theirs, `/declarations?sort=createdAt&lead=${encodeURIComponent(lead.id)}`)
  await expect(leadPane(theirs).getByText('Fråga Anna Berg.')).toBeVisible()
  await expect(theirs.getByRole('option', { name: 'Skyddad identitet' }).first()).toBeVisible()
  await expect(theirs.getByText(email)).toHaveCount(0)
  await expectAccessible(theirs)

  await open(page, '/admin/users')
  const protection = page.getByRole('listitem').filter({ hasText: 'Beslut av Skatteverket' })
  await expect(protection).toContainText('Anna Berg')
  await protection.getByRole('button', { name: 'Ändra vilka' }).click()
  const change = page.getByRole('dialog', { name: 'Ändra skyddet' })
  await expect(change.getByRole('checkbox', { name: 'Anna Berg' })).toBeChecked()
  await change.getByRole('button', { name: 'Avbryt' }).click()
  await expectUsable(page)

  await openRights(page, lead)
  await rights(page).getByRole('button', { name: 'Häv skyddet …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Häv skyddet' }).click()
  await expect(rights(page)).toContainText('Identiteten är inte skyddad')
})

test('an administrator makes an extract, and erases what was added', { tag: '@full' }, async ({ page, requestAs }) => {
  const colleague = await requestAs('staff')
  const lead = await oldLead(colleague, 300)
  const ref = { kind: 'declaration-of-interest', id: lead.id }
  await colleague.post('/api/notes', { headers, data: { ...ref, text: 'Ringde om öppet hus' } })
  const other = { kind: ref.kind, id: (await oldLead(colleague, 350)).id }
  const text = `Samma familj som ${lead.user.email}`
  await colleague.post('/api/notes', { headers, data: { ...other, text } })
  await openRights(page, lead)
  await expect(rights(page)).toContainText('1 uppgift tillagd')
  await expect(rights(page)).toContainText(`Anteckningen ”${text}” på ett annat ärende.`)
  await expect(rights(page).getByRole('link', { name: 'Visa ärendet' })).toBeVisible()
  await expectAccessible(page)
  const asFile = rights(page).getByRole('button', { name: 'Hämta som JSON' })
  const extract = await downloaded(page, () => asFile.click())
  expect(extract.name).toMatch(/^registerutdrag-\d{4}-\d\d-\d\d\.json$/)
  expect(extract.text).toContain('Ringde om öppet hus')

  await expect(rights(page)).toContainText('Anteckningar: 1')
  await rights(page).getByRole('button', { name: 'Radera …' }).click()
  const dialog = page.getByRole('dialog')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Radera för alltid' }).click()
  await expect(dialog).toBeHidden()
  expect(await read(colleague, `/api/notes?${new URLSearchParams(ref)}`)).toEqual({ notes: [] })
})
