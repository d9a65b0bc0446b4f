import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Lead, LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS, LISTS_BY_KIND, type QueueName, QUEUES } from '@/lib/contract/lists'
import type { ExportedLead } from '@/lib/export/export-cells'
import { FIRST_MOMENT, LAST_MOMENT } from '@/lib/time/stockholm'
import { requirePermission } from '@/server/access/viewer'
import { writtenFile } from '@/server/export/testing/written-file'
import { getInterest, getInterestPage } from '@/server/interest/interest'
import { getDay } from '@/server/leads/day'
import { getListCounts } from '@/server/leads/list-counts'
import { listLeads } from '@/server/leads/list-leads'
import { listQueue } from '@/server/leads/list-queue'
import { changeWorkSettings } from '@/server/leads/work'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { readLeads } from './ingest'

const desk = await openRightsDesk()
const ada = await desk.person('ada', 'admin', 'all')
const boss = await desk.person('boss', 'manager', 'all')
await changeWorkSettings(desk.parts, ada, { goals: { 'asked-question': 2, 'declaration-of-interest': 60 } })
afterAll(() => desk.close())

const EXTREME_MOMENTS = [
  '0000-01-01T00:00:00Z',
  '0000-01-01T00:00:00+14:00',
  '0001-12-31T24:00:00',
  '0099-02-29T00:59:60Z',
  '1899-12-31T23:59:59.999Z',
  '1900-02-28T23:00:00-0100',
  '9998-12-30T00:00:00+23:59',
  '9999-12-31T12:00:00-14:00',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:60Z',
  '9999-12-31T24:00:00Z',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
]
const [min, max] = [new Date(FIRST_MOMENT), new Date(LAST_MOMENT)]
const anyMoment = fc.oneof(
  fc.constantFrom(...EXTREME_MOMENTS),
  fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString()),
)

/** Whatever the format allows for texts and numbers; a long one has something that slow expressions stumble over. */
const STUMBLING = [...'a +@0-=å😀\n"', '_x00', '070 ', '\u0301\u0323', '\uff9e\u0323']
const LONG = STUMBLING.map((part) => part.repeat(2_000))
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom(...LONG, '', '__proto__'))
const anyYear = fc.option(
  fc.oneof(
    fc.constantFrom(0, -1, 9999, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
    fc.integer({ min: 2020, max: 2035 }),
  ),
)

const maybeText = fc.option(anyText)
const channels = { phone: maybeText, email: maybeText }
const anyRecord = fc.record({
  highSchoolId: fc.oneof(fc.constantFrom('norra', 'sodra'), anyText),
  createdAt: anyMoment,
  question: anyText,
  sender: fc.record({ mode: fc.constantFrom('email', 'phone', 'duva'), ...channels }),
  user: fc.record({ firstName: maybeText, lastName: maybeText, highSchoolEnrollmentYear: anyYear, ...channels }),
})
/** The same record several times is a group that is shown. */
const anyRecords = fc
  .array(fc.tuple(anyRecord, fc.constantFrom(1, 1, 6)), { minLength: 1, maxLength: 6 })
  .map((some) => some.flatMap(([record, times]) => Array.from({ length: times }, () => record)))
  .map((records) => records.map((record, index) => ({ ...record, id: `lead-${index}` })))

async function ingested<K extends LeadKind>(kind: K, records: readonly object[]) {
  const body = Buffer.from(JSON.stringify({ [LISTS_BY_KIND[kind].field]: records }))
  const reading = await readLeads({ kind, body })
  if (!reading.ok) throw new Error(reading.detail)
  const { table, unreadable } = reading.list
  expect(table.size + unreadable.length).toBe(records.length)
  expect(table.createdAt.every((ms) => ms >= FIRST_MOMENT && ms <= LAST_MOMENT)).toBe(true)
  return Array.from({ length: table.size }, (_, row) => table.getLead(row))
}

function exported(lead: Lead): ExportedLead {
  return { lead, triage: { status: 'new', assignee: null, updatedAt: null }, school: lead.highSchoolId }
}

/** Everything that looks at all leads: lists in every order, choices, what is to be done, numbers for either reader. */
async function everything(query: object): Promise<unknown[]> {
  const reader = requirePermission(ada, 'leads:read')
  const shown: unknown[] = [await getDay(desk.parts, reader)]
  for (const name of Object.keys(QUEUES) as QueueName[])
    shown.push(await listQueue(desk.parts, reader, name, { offset: 0, limit: 100 }))
  for (const kind of LEAD_KINDS) {
    const { list, sorts } = LISTS_BY_KIND[kind]
    const filters = [{}, query, { late: true }, { waiting: true }, { q: '070' }]
    for (const filter of filters) shown.push(await getListCounts(desk.parts, reader, { matching: { list, ...filter } }))
    for (const sort of sorts) shown.push(await listLeads(desk.parts, reader, list, { sort, offset: 0, limit: 100 }))
  }
  for (const viewer of [ada, boss]) {
    const interest = requirePermission(viewer, 'interest:read')
    for (const one of [{}, { cohort: 1900 }, { cohort: 9999 }])
      for (const verb of [getInterest, getInterestPage]) shown.push(await verb(desk.parts, interest, one))
  }
  return shown
}

/** What ISO 8601 has no four digits for, and what no number is. */
const NO_DAY = /"[+-]\d{6}-\d\d|Invalid|\d-W(?:NaN|\d{3})|"0?0?-\d+-W/

test('every moment, year and text is read or set aside, and lists, goals, seasons, weeks, numbers and files of it end', async () => {
  const [from, to] = ['1900-01-01', '8999-12-31']
  const anyPeriod = fc.constantFrom({ from }, { to }, { from, to })
  const anyNow = fc.constantFrom('2026-11-20T08:00:00Z', '2027-01-01T00:00:00Z', '2028-02-29T23:30:00Z')
  await fc.assert(
    fc.asyncProperty(anyRecords, anyPeriod, anyNow, async (records, period, now) => {
      desk.time.ms = Date.parse(now)
      const questions = await ingested('asked-question', records)
      const declarations = await ingested('declaration-of-interest', records)
      desk.setQuestions(questions)
      desk.setDeclarations(declarations)
      expect(JSON.stringify(await everything(period))).not.toMatch(NO_DAY)
      for (const format of ['csv', 'xlsx', 'vcf'] as const)
        for (const leads of [questions, declarations])
          expect((await writtenFile(format, leads.map(exported))).length).toBeGreaterThan(-1)
    }),
    { numRuns: 12 },
  )
})
