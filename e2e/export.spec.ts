import type { APIRequestContext } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import type { ExportEntry } from '@/lib/contract/export'
import {
  downloaded,
  expect,
  expectAccessible,
  headers,
  nextStart,
  open,
  read,
  signIn,
  staff,
  test,
  yesterday,
} from './fixtures'
import { pressInListHeader } from './leads'

const LIST = 'declarations-of-interest'
const COLUMNS = 'createdAt school firstName lastName email phone year status id highSchoolId'.split(' ')
const everything = (part: object) => ({
  list: LIST,
  matching: { list: LIST },
  columns: COLUMNS,
  purpose: 'Test',
  ...part,
})
const exported = (request: APIRequestContext, part: object) =>
  request.post('/api/exports', { headers, data: everything(part) })

async function history(request: APIRequestContext): Promise<ExportEntry[]> {
  return (await read(request, '/api/exports')).exports
}

test('an export with another count than promised is refused', async ({ request }) => {
  await signIn(request, staff)
  const answer = await exported(request, { format: 'csv', expectedCount: 1, purpose: 'Lovat' })
  expect([answer.status(), await answer.json()]).toEqual([409, { error: 'The number of leads has changed' }])
  expect((await history(request)).map(({ purpose }) => purpose)).not.toContain('Lovat')
})

test('the history says what was chosen, also what the questions were about', async ({ page, context: { request } }) => {
  await signIn(request, staff)
  const list = 'asked-questions'
  const matching = { list, topic: ['transport', 'none'], waiting: true }
  const answer = await exported(request, { list, matching, columns: ['createdAt'], format: 'csv' })
  expect(answer.status()).toBe(200)
  await open(page, '/exports')
  const row = page.getByRole('row', { name: 'Frågan gäller: Resor och boende, Annat · Väntar på svar' })
  await expect(row.first()).toBeVisible()
})

test(
  'a list becomes a file with columns, purpose and the promised count, and the history says so',
  { tag: '@full' },
  async ({ page, context: { request } }) => {
    await signIn(request, staff)
    const value = { columns: COLUMNS, format: 'xlsx' }
    await request.put(`/api/preferences/export.${LIST}`, { headers, data: { value } })
    await open(page, `/declarations?year=${nextStart}&year=${nextStart + 1}&to=${yesterday}`)
    await pressInListHeader(page, 'Exportera')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('CSV', { exact: true }).click()
    await dialog.getByText('10 av 14 kolumner').click()
    await dialog.getByRole('checkbox', { name: 'Skolans id' }).uncheck()
    const button = dialog.getByRole('button', { name: /^Exportera \d/ })
    await button.click()
    await expect(dialog.getByText('Ange varför uppgifterna behövs.')).toBeVisible()
    await dialog.getByLabel('Syfte').selectOption({ label: 'Statistik' })
    await expectAccessible(page)
    const promised = Number((await button.innerText()).replace(/\D/g, ''))
    const { name, text } = await downloaded(page, () => button.click())
    const [header, ...rows] = parse(text, { bom: true, delimiter: ';', record_delimiter: '\r\n' })
    expect(header).toEqual(['Inkom', 'Skola', 'Förnamn', 'Efternamn', 'E-post', 'Telefon', 'Startår', 'Status', 'Id'])
    expect(rows).toHaveLength(promised)
    expect(name).toContain(`-${promised}.csv`)
    await pressInListHeader(page, 'Exportera')
    await expect(dialog.getByLabel('Syfte'), 'the purpose stands there to be confirmed').toHaveValue('statistics')
    expect((await downloaded(page, () => button.click())).name).toContain(`-${promised}.csv`)
    await open(page, '/exports')
    await expectAccessible(page)
    const row = page.getByRole('row', { name: /Statistik/ }).first()
    await expect(row).toContainText(`Startår ${nextStart}, ${nextStart + 1}`)
    await expect(row).toContainText('Klar')
    const kept = await read(request, `/api/preferences/export.${LIST}`)
    expect(kept.value).toMatchObject({ format: 'csv', columns: COLUMNS.slice(0, -1), purpose: 'statistics' })
  },
)
