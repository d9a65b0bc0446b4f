import { readFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import type { APIRequestContext } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import ExcelJS from 'exceljs'
import type { ExportEntry } from '@/lib/contract/export'
import {
  admin,
  anotherPerson,
  comeIn,
  cookieHeader,
  DEMO,
  expect,
  expectAccessible,
  manager,
  nextStart,
  open,
  signIn,
  staff,
  test,
  yesterday,
} from './fixtures'

const LIST = 'declarations-of-interest'
const COLUMNS = [
  'createdAt',
  'school',
  'firstName',
  'lastName',
  'email',
  'phone',
  'year',
  'status',
  'id',
  'highSchoolId',
]
const headers = { origin: DEMO }
const everything = (part: object = {}) => ({
  list: LIST,
  matching: { list: LIST },
  columns: COLUMNS,
  purpose: 'Test',
  ...part,
})
const exported = (request: APIRequestContext, part: object) =>
  request.post('/api/exports', { headers, data: everything(part) })
const readCsv = (body: Buffer): string[][] => parse(body, { bom: true, delimiter: ';', record_delimiter: '\r\n' })

async function history(request: APIRequestContext): Promise<ExportEntry[]> {
  return (await (await request.get('/api/exports')).json()).exports
}

test('a CSV file opens right: its bytes, its times, its phones, and as many rows as it says', async ({ request }) => {
  await signIn(request, staff)
  const answer = await exported(request, { format: 'csv' })
  expect(answer.status()).toBe(200)
  const body = await answer.body()
  expect([...body.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const [header, ...rows] = readCsv(body)
  expect(header).toEqual([
    'Inkom',
    'Skola',
    'Förnamn',
    'Efternamn',
    'E-post',
    'Telefon',
    'Startår',
    'Status',
    'Id',
    'Skolans id',
  ])
  expect(rows.length).toBeGreaterThan(500)
  expect(answer.headers()['x-export-count']).toBe(String(rows.length))
  expect(answer.headers()['content-disposition']).toMatch(
    new RegExp(`filename="intresseanmalningar-\\d{4}-\\d\\d-\\d\\d-${rows.length}\\.csv"`),
  )
  const column = (index: number) => rows.map((row) => row[index] ?? '')
  expect(column(0).filter((at) => !/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(at))).toEqual([])
  const swedish = column(5).filter((phone) => phone.startsWith('+46'))
  expect(swedish.length).toBeGreaterThan(100)
  expect(swedish.filter((phone) => !/^\+46 \d+( \d+)+$/.test(phone))).toEqual([])
})

test('the same leads stand in the XLSX and the vCard file', async ({ request }) => {
  await signIn(request, staff)
  const [lead] = (await (await request.get(`/api/${LIST}?limit=1`)).json()).declarationsOfInterest
  const leads = [{ kind: 'declaration-of-interest', id: lead.id }]
  const xlsx = await exported(request, { matching: undefined, leads, format: 'xlsx' })
  const workbook = new ExcelJS.Workbook()
  const bytes = await xlsx.body()
  await workbook.xlsx.load(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer)
  const row = workbook.worksheets[0]?.getRow(2)
  expect(row?.getCell(1).value).toBeInstanceOf(Date)
  expect(row?.getCell(5).value ?? null).toBe(lead.user.email)
  expect(row?.getCell(9).value).toBe(lead.id)
  const card = await (await exported(request, { matching: undefined, leads, format: 'vcf' })).text()
  expect(card).toMatch(/^BEGIN:VCARD\r\nVERSION:4.0\r\n/)
  expect(card.replaceAll('\r\n ', '')).toContain(`EMAIL:${lead.user.email}`)
})

test('nobody gets a file of a school that is not theirs, or without the permission', async ({
  request,
  playwright,
}) => {
  await signIn(request, staff)
  const own = (await (await request.get('/api/high-schools')).json()).highSchools.map(({ id }: { id: string }) => id)
  const other = await anotherPerson(playwright, admin)
  const { declarationsOfInterest } = await (await other.get(`/api/${LIST}?limit=500`)).json()
  const foreign = declarationsOfInterest.filter(
    ({ highSchoolId }: { highSchoolId: string }) => !own.includes(highSchoolId),
  )
  const mine = (await (await request.get(`/api/${LIST}?limit=1`)).json()).declarationsOfInterest
  await other.dispose()
  const refs = (leads: { id: string }[]) => leads.map(({ id }) => ({ kind: 'declaration-of-interest', id }))
  const refused = await exported(request, { matching: undefined, leads: refs(foreign), format: 'csv' })
  expect([refused.status(), await refused.json()]).toEqual([404, { error: 'Not Found' }])
  const mixed = await exported(request, { matching: undefined, leads: refs([...foreign, ...mine]), format: 'csv' })
  expect(readCsv(await mixed.body()).map((row) => row[8])).toEqual(['Id', mine[0].id])
  const all = readCsv(await (await exported(request, { format: 'csv' })).body()).slice(1)
  expect(new Set(all.map((row) => row[9]))).toEqual(new Set(own))

  const counting = await anotherPerson(playwright, manager)
  for (const answer of [await exported(counting, { format: 'csv' }), await counting.get('/api/exports')]) {
    expect([answer.status(), await answer.json()]).toEqual([403, { error: 'Unauthorized' }])
  }
  await counting.dispose()
})

test('a connection that drops half-way is in the log as broken, with how far it came', async ({ request }) => {
  await signIn(request, admin)
  const cookie = await cookieHeader(request)
  const id = await new Promise<string>((resolve, reject) => {
    const sent = httpRequest(
      `${DEMO}/api/exports`,
      { method: 'POST', headers: { ...headers, cookie, 'content-type': 'application/json' } },
      (answer) =>
        answer.once('data', () => {
          sent.destroy()
          resolve(String(answer.headers['x-export-id']))
        }),
    )
    sent.once('error', reject)
    sent.end(JSON.stringify(everything({ format: 'vcf' })))
  })
  const entry = async () => (await history(request)).find((one) => one.id === id)
  await expect.poll(async () => (await entry())?.state).toBe('broken')
  const broken = await entry()
  expect(broken?.written).toBeLessThan(broken?.count ?? 0)
  expect(broken).toMatchObject({ purpose: 'Test', matching: { list: LIST } })
})

test('what is no longer as many as promised does not leave', async ({ request }) => {
  await signIn(request, staff)
  const answer = await exported(request, { format: 'csv', expectedCount: 1, purpose: 'Lovat' })
  expect([answer.status(), await answer.json()]).toEqual([409, { error: 'The number of leads has changed' }])
  expect((await history(request)).map(({ purpose }) => purpose)).not.toContain('Lovat')
})

test('copied addresses are an export: distinct, logged, and told from files', async ({ request }) => {
  await signIn(request, staff)
  const answer = await exported(request, { format: 'emails', columns: undefined })
  const { emails, without } = await answer.json()
  expect(new Set(emails.map((email: string) => email.toLowerCase())).size).toBe(emails.length)
  expect(emails.length + without).toBeLessThanOrEqual(Number(answer.headers()['x-export-count']))
  // By its id: the same person exports in other tests meanwhile.
  const entry = (await history(request)).find(({ id }) => id === answer.headers()['x-export-id'])
  expect(entry).toMatchObject({ format: 'emails', state: 'finished', columns: ['email'] })
})

test('from the history to a new file: columns, purpose, a thought for the young, and the number on the button', async ({
  page,
  context,
}) => {
  await comeIn(context, staff)
  await context.request.put(`/api/preferences/export.${LIST}`, {
    headers,
    data: { value: { columns: COLUMNS, format: 'xlsx', delimiter: ';', encoding: 'utf-8-bom' } },
  })
  const matching = { list: LIST, year: [nextStart, nextStart + 1], to: yesterday }
  await context.request.post('/api/exports', { headers, data: everything({ matching, format: 'csv' }) })
  await open(page, '/exports')
  await expectAccessible(page)
  await page
    .getByRole('row', { name: `startår ${nextStart}, ${nextStart + 1}` })
    .getByRole('button')
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^Alla /).click()
  await dialog.getByText('CSV', { exact: true }).click()
  await dialog.getByText('10 av 14 kolumner').click()
  await dialog.getByRole('checkbox', { name: 'Skolans id' }).uncheck()
  const up = dialog.getByRole('button', { name: 'Flytta upp Skola' })
  await up.press('Enter')
  await expect(up).toBeFocused()
  const button = dialog.getByRole('button', { name: /^Exportera \d/ })
  await button.click()
  await expect(dialog.getByText('Ange varför uppgifterna behövs.')).toBeVisible()
  await dialog.getByLabel('Syfte').selectOption({ label: 'Statistik' })
  await dialog.getByRole('checkbox', { name: 'Uppgifterna används inte för reklam till barn' }).check()
  await expectAccessible(page)
  const promised = Number((await button.innerText()).replace(/\D/g, ''))
  const downloading = page.waitForEvent('download')
  await button.click()
  const download = await downloading
  const [header, ...rows] = readCsv(await readFile(await download.path()))
  expect(header).toEqual(['Skola', 'Inkom', 'Förnamn', 'Efternamn', 'E-post', 'Telefon', 'Startår', 'Status', 'Id'])
  expect(rows).toHaveLength(promised)
  expect(download.suggestedFilename()).toContain(`-${promised}.csv`)
  await expect(page.getByRole('row', { name: /Statistik/ }).first()).toContainText('Klar')
  const kept = await (await context.request.get(`/api/preferences/export.${LIST}`)).json()
  expect(kept.value).toMatchObject({ format: 'csv', columns: ['school', 'createdAt', ...COLUMNS.slice(2, -1)] })
})
