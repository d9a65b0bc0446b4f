import { desc } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { ExportRequest } from '@/lib/contract/export'
import type { LeadKind } from '@/lib/contract/lead'
import { declaration } from '@/lib/leads/testing/leads'
import { requirePermission } from '@/server/access/viewer'
import { activity, exports } from '@/server/base/schema'
import { setTriage } from '@/server/leads/change-triage'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { createCardId, exportLeads } from './export-leads'
import { previewExport } from './export-selection'

const list = 'declarations-of-interest'
const request: ExportRequest = {
  list,
  matching: { list },
  format: 'csv',
  columns: ['id', 'firstName', 'status'],
  purpose: 'Öppet hus',
  newOnly: false,
  delimiter: ';',
  encoding: 'utf-8',
  language: 'sv',
}

const desk = await openRightsDesk()
const sara = requirePermission(await desk.addPerson('sara', 'staff', ['norra']), 'leads:triage')
const exporter = requirePermission(sara, 'leads:export')
beforeEach(async () => {
  await desk.db.delete(exports)
  await desk.db.delete(activity)
  desk.setDeclarations([
    declaration('3', { firstName: 'Åsa', createdAt: '2026-11-20T07:00:00.000Z' }),
    declaration('2', { firstName: 'Maja', createdAt: '2026-11-19T07:00:00.000Z' }),
    declaration('1', { firstName: 'Örjan', createdAt: '2026-11-18T07:00:00.000Z', school: 'sodra' }),
    declaration('0', { firstName: 'Bo', createdAt: '2026-11-17T07:00:00.000Z' }),
  ])
})
afterAll(() => desk.close())

const exportRows = async (more: Partial<ExportRequest> = {}) => {
  const text = await (await exportLeads(desk.parts, exporter, { ...request, ...more }, 'sv')).text()
  return text.trim().split('\r\n').slice(1)
}

test('a file has the rows in scope in the order of the screen, each with its own status', async () => {
  await setTriage(desk.parts, sara, { leads: [{ kind: 'declaration-of-interest', id: '2' }], status: 'handled' })
  expect(await exportRows()).toEqual(['3;Åsa;Ny', '2;Maja;Hanterad', '0;Bo;Ny'])
  expect(await exportRows({ sort: 'name' })).toEqual(['0;Bo;Ny', '2;Maja;Hanterad', '3;Åsa;Ny'])
  const logged = await desk.db.select().from(exports).orderBy(desc(exports.leadIds))
  expect(logged).toMatchObject([{ count: 3, leadIds: ['3', '2', '0'] }, { leadIds: ['0', '2', '3'] }])
  await exportRows({ format: 'emails' })
  expect(await desk.db.select({ columns: exports.columns }).from(exports)).toContainEqual({ columns: ['email'] })
})

test('is not logged when it cannot be prepared, or has another count than was promised', async () => {
  await expect(exportRows({ expectedCount: 2 })).rejects.toThrow('The number of leads has changed')
  const readUserNames = () => Promise.reject(new Error('a lead cannot be read'))
  const parts = { ...desk.parts, readUserNames }
  for (const format of ['csv', 'emails'] as const) {
    await expect(exportLeads(parts, exporter, { ...request, format }, 'sv')).rejects.toThrow('a lead cannot be read')
  }
  expect(await desk.db.select().from(exports)).toEqual([])
})

test('a file of what is new lacks what the user had by the same filter, in whatever order it was chosen', async () => {
  const by = (...school: string[]) => ({ matching: { list, school } }) as const
  await exportRows(by('norra', 'sodra'))
  desk.setDeclarations([declaration('4', { firstName: 'Ny' }), declaration('3', { firstName: 'Åsa' })])
  expect(await exportRows({ ...by('sodra', 'norra'), newOnly: true })).toEqual(['4;Ny;Ny'])
  expect(await exportRows({ ...by('norra'), newOnly: true }), 'by another filter').toHaveLength(2)
})

test('a preview withholds nobody from what is new who was protected after the last file, and counts the young', async () => {
  const elsa = declaration('5', { email: 'elsa@example.se' })
  desk.setDeclarations([elsa])
  await exportRows()
  await desk.protect(await desk.addPerson('anna', 'admin', 'all'), elsa, ['sara'])
  const preview = await previewExport(desk.parts, exporter, request)
  expect([preview.withheld, preview.fresh?.withheld]).toEqual([1, 0])
  desk.setDeclarations([2026, 2027, 2028].map((year) => declaration(`${year}`, { highSchoolEnrollmentYear: year })))
  expect(await previewExport(desk.parts, exporter, request)).toMatchObject({ under16: 2, mayBeUnder16: 1 })
})

test('does not leave when it cannot be logged', async () => {
  const begin = () => Promise.reject(new Error('the log is away'))
  const parts = { ...desk.parts, exportLog: { ...desk.parts.exportLog, begin } }
  for (const format of ['csv', 'emails'] as const) {
    await expect(exportLeads(parts, exporter, { ...request, format }, 'sv')).rejects.toThrow('the log is away')
  }
})

test('the card of a lead is named by a keyed hash of its kind and id, as a UUID that says how it was made', () => {
  const nameOf = (key: number, kind: LeadKind) => createCardId(Buffer.alloc(32, key), kind, 'Åsa 1')
  const uuid = nameOf(7, 'declaration-of-interest')
  expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(nameOf(7, 'declaration-of-interest')).toBe(uuid)
  expect(new Set([uuid, nameOf(8, 'declaration-of-interest'), nameOf(7, 'asked-question')]).size).toBe(3)
})
