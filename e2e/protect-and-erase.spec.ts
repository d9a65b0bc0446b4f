import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page } from '@playwright/test'
import type { DeclarationOfInterestItem, DeclarationsPage } from '@/lib/contract/lead'
import {
  admin,
  anotherPerson,
  comeIn,
  DEMO,
  expect,
  expectAccessible,
  expectToFit,
  open,
  signIn,
  staff,
  test,
} from './fixtures'

const DECLARATIONS = '/api/declarations-of-interest'
const headers = { origin: DEMO }

async function page(request: APIRequestContext, query: string): Promise<DeclarationsPage> {
  return (await request.get(`${DECLARATIONS}?${query}`)).json()
}

/** An old lead with an e-mail at one of the staff's schools, which no other test looks at. */
async function somebody(request: APIRequestContext, offset: number): Promise<DeclarationOfInterestItem> {
  const { declarationsOfInterest } = await page(request, `sort=createdAt&offset=${offset}&limit=50`)
  const found = declarationsOfInterest.find(({ user }) => user.email !== null && user.firstName !== null)
  if (found === undefined) throw new Error('nobody has an e-mail')
  return found
}

/** A shared view whose name is the person's. */
async function viewNaming(request: APIRequestContext, { user }: DeclarationOfInterestItem): Promise<string> {
  const name = `Ring ${user.firstName ?? ''} ${user.lastName ?? ''}`
  const data = { list: 'declarations-of-interest', name, query: { q: user.email }, shared: true }
  expect((await request.post('/api/views', { headers, data })).status()).toBe(200)
  return name
}

const viewsOf = async (request: APIRequestContext): Promise<string[]> => {
  const { views } = await (await request.get('/api/views')).json()
  return views.map(({ name }: { name: string }) => name)
}

const countFor = async (request: APIRequestContext, lead: DeclarationOfInterestItem) => {
  const matching = { list: 'declarations-of-interest', school: [lead.highSchoolId], to: lead.createdAt.slice(0, 10) }
  const data = { list: 'declarations-of-interest', matching }
  const preview = await (await request.post('/api/exports/preview', { headers, data })).json()
  const file = await request.post('/api/exports', { headers, data: { ...data, format: 'csv', purpose: 'test' } })
  const rows = (await file.text()).trim().split('\r\n')
  return { count: preview.count, left: preview.protected.count, rows: rows.length - 1, text: rows.join() }
}

const rights = (shown: Page) => shown.getByRole('region', { name: 'Personens rättigheter' })

test('a protected person is shown to who is named; all others see that there is a lead and whom to ask', async ({
  page: shown,
  context,
  playwright,
  browser,
}) => {
  // Three screens of two people, each looked through for accessibility.
  test.slow()
  const colleague = await anotherPerson(playwright, staff)
  const lead = await somebody(colleague, 0)
  const before = await countFor(colleague, lead)
  const view = await viewNaming(colleague, lead)
  await comeIn(context, admin)
  await open(shown, `/contacts/${lead.contactId}`)
  await rights(shown).getByRole('button', { name: 'Visa', exact: true }).click()
  await rights(shown).getByRole('button', { name: 'Skydda identiteten …' }).click()
  const dialog = shown.getByRole('dialog', { name: 'Skydda identiteten' })
  await dialog.getByRole('button', { name: 'Skydda' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Välj minst en kollega.')
  await expect(dialog.getByRole('listitem')).toContainText([new RegExp(`Vyn ”${view} .+” tas bort`)])
  await dialog.getByRole('checkbox', { name: 'Anna Berg' }).check()
  await dialog.getByRole('textbox', { name: 'Varför' }).fill('Beslut av Skatteverket')
  await expectAccessible(shown)
  await dialog.getByRole('button', { name: 'Skydda' }).click()
  await expect(rights(shown)).toContainText('Identiteten är skyddad')
  expect(await viewsOf(colleague)).not.toContain(view)
  await expect(shown.getByText('Visas bara för Anna Berg')).toBeVisible()
  try {
    const [hidden] = (await page(colleague, `id=${encodeURIComponent(lead.id)}`)).declarationsOfInterest
    expect(hidden).toMatchObject({ user: { email: null }, protected: { isHidden: true, people: ['Anna Berg'] } })
    expect((await colleague.get(`/api/contacts/${lead.contactId}`)).status()).toBe(404)
    const email = lead.user.email ?? ''
    expect((await page(colleague, `q=${encodeURIComponent(email)}`)).total).toBe(0)
    const after = await countFor(colleague, lead)
    expect(after.rows, 'the count beforehand is the count in the file').toBe(after.count)
    expect(after.count + after.left).toBe(before.count)
    expect([after.left > 0, after.text.includes(email)]).toEqual([true, false])

    const theirs = await browser.newContext({ baseURL: DEMO, locale: 'sv-SE', viewport: { width: 1440, height: 900 } })
    await signIn(theirs.request, staff)
    const desk = await theirs.newPage()
    await open(desk, `/declarations?sort=createdAt&lead=${encodeURIComponent(lead.id)}`)
    await expect(desk.getByText('Fråga Anna Berg.')).toBeVisible()
    await expect(desk.getByRole('option', { name: 'Skyddad identitet' }).first()).toBeVisible()
    await expect(desk.getByText(email)).toHaveCount(0)
    await expectAccessible(desk)
    await theirs.close()

    await open(shown, '/admin/protections')
    await expect(shown.getByRole('listitem').filter({ hasText: 'Beslut av Skatteverket' })).toContainText('Anna Berg')
    await expectAccessible(shown)
    await expectToFit(shown)
  } finally {
    await open(shown, `/contacts/${lead.contactId}`)
    await rights(shown).getByRole('button', { name: 'Visa', exact: true }).click()
    await rights(shown).getByRole('button', { name: 'Häv skyddet …' }).click()
    await shown.getByRole('dialog').getByRole('button', { name: 'Häv skyddet' }).click()
    await expect(rights(shown)).toContainText('Identiteten är inte skyddad')
  }
  expect((await page(colleague, `id=${encodeURIComponent(lead.id)}`)).declarationsOfInterest).toMatchObject([
    { user: { email: lead.user.email } },
  ])
  await colleague.dispose()
})

test('an administrator hands over an extract, and erases what was added after writing a word', async ({
  page: shown,
  context,
  playwright,
}) => {
  const colleague = await anotherPerson(playwright, staff)
  const lead = await somebody(colleague, 100)
  const ref = { kind: 'declaration-of-interest', id: lead.id }
  const noted = await colleague.post('/api/notes', { headers, data: { ...ref, text: 'Ringde om öppet hus' } })
  expect(noted.status()).toBe(200)
  const view = await viewNaming(colleague, lead)
  const other = { kind: ref.kind, id: (await somebody(colleague, 150)).id }
  const text = `Samma familj som ${lead.user.email}`
  const { id: note } = await (await colleague.post('/api/notes', { headers, data: { ...other, text } })).json()
  await comeIn(context, admin)
  await open(shown, `/contacts/${lead.contactId}`)
  await rights(shown).getByRole('button', { name: 'Visa', exact: true }).click()
  await expect(rights(shown).getByRole('checkbox').first()).toBeVisible()
  await expectAccessible(shown)
  const [download] = await Promise.all([
    shown.waitForEvent('download'),
    rights(shown).getByRole('button', { name: 'Hämta som sida' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^registerutdrag-\d{4}-\d\d-\d\d\.html$/)
  const html = await readFile(await download.path(), 'utf8')
  expect(html).toContain('Ringde om öppet hus')
  expect(html).not.toContain('Sara Lindqvist')

  await rights(shown).getByRole('button', { name: 'Radera …' }).click()
  const dialog = shown.getByRole('dialog')
  await expect(dialog).toContainText('Anteckningar: 1')
  await expect(dialog).toContainText(`Vyn ”${view} · ${lead.user.email}” tas bort.`)
  await expect(dialog).toContainText(`Anteckningen ”${text}” på ett annat ärende ligger kvar.`)
  await expect(dialog.getByRole('link', { name: 'Visa ärendet' })).toBeVisible()
  const confirm = dialog.getByRole('button', { name: 'Radera för alltid' })
  await expect(confirm).toBeDisabled()
  await dialog.getByRole('textbox').fill('radera')
  await expectAccessible(shown)
  await confirm.click()
  await expect(dialog).toBeHidden()
  const notes = await colleague.get(`/api/notes?${new URLSearchParams(ref)}`)
  expect(await notes.json()).toEqual({ notes: [] })
  expect(await viewsOf(colleague)).not.toContain(view)
  await colleague.delete(`/api/notes/${note}`, { headers })
  const log = await (
    await context.request.get(`/api/activity?action=data-erased&id=${encodeURIComponent(lead.id)}`)
  ).json()
  expect(log.entries).toMatchObject([{ lead: ref, user: { name: 'Anna Berg' } }])
  await colleague.dispose()
})
