import { afterAll, expect, test } from 'vitest'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS, LISTS_BY_KIND, type QueueName, QUEUES } from '@/lib/contract/lists'
import { FIRST_MOMENT, LAST_MOMENT } from '@/lib/time/stockholm'
import { requirePermission } from '@/server/access/viewer'
import { writeExportFile } from '@/server/export/testing/written-file'
import { getInterest, getInterestPage } from '@/server/interest/interest'
import { getDay } from '@/server/leads/day'
import { getListCounts } from '@/server/leads/list-counts'
import { listLeads } from '@/server/leads/list-leads'
import { listQueue } from '@/server/leads/list-queue'
import { changeWorkSettings } from '@/server/leads/work-settings'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { readLeads } from './ingest'

const desk = await openRightsDesk()
const ada = await desk.addPerson('ada', 'admin', 'all')
const boss = await desk.addPerson('boss', 'manager', 'all')
await changeWorkSettings(desk.parts, ada, { goals: { 'asked-question': 2, 'declaration-of-interest': 60 } })
afterAll(() => desk.close())

const MOMENTS = `
  0000-01-01T00:00:00Z 0000-01-01T00:00:00+14:00 0001-12-31T24:00:00 0096-02-29T00:59:59Z 1899-12-31T23:59:59.999Z
  1900-02-28T23:00:00-0100 2026-03-29T02:30:00+01:00 2026-11-19T12:00 9000-02-29T00:00:00.001Z
  9998-12-30T00:00:00+23:59 9999-12-31T12:00:00-14:00 9999-12-31T23:59:59.999Z
  9999-12-31T24:00:00Z +010000-01-01T00:00:00Z -000001-01-01T00:00:00Z`
  .trim()
  .split(/\s+/)
/** A long text has something that slow expressions stumble over. */
const STUMBLING = [...'a +@0-=å😀\n"', '_x00', '070 ', '\u0301\u0323', '\uff9e\u0323'].map((part) => part.repeat(2_000))
const TEXTS = [...STUMBLING, '', '__proto__', '\ud800', '\u0000\u001f', null]
const SAFE = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
const YEARS = [null, 0, -1, 9999, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), ...SAFE, ...Array.from({ length: 6 }, () => 2027)]

/** Each moment with each year; the six of one year are enough for a manager to see a number. */
const records = MOMENTS.flatMap((createdAt) => YEARS.map((year) => ({ createdAt, year }))).map(
  ({ createdAt, year }, index) => {
    const pick = (step: number) => TEXTS[(index * step) % TEXTS.length] ?? null
    const channels = { phone: pick(3), email: pick(5) }
    const names = { firstName: pick(7), lastName: pick(2) }
    return {
      id: `lead-${index}`,
      highSchoolId: index % 3 === 0 ? pick(1) : 'norra',
      createdAt,
      question: pick(1),
      sender: { mode: 'duva', ...channels },
      user: { ...names, highSchoolEnrollmentYear: year, ...channels },
    }
  },
)

async function readRecords<K extends LeadKind>(kind: K) {
  const body = Buffer.from(JSON.stringify({ [LISTS_BY_KIND[kind].field]: records }))
  const reading = await readLeads(kind, body)
  if (!reading.ok) throw new Error(reading.detail)
  const { table, unreadable } = reading.list
  expect(table.size).toBeGreaterThan(records.length / 2)
  expect(table.size + unreadable.length).toBe(records.length)
  expect(table.createdAt.every((ms) => ms >= FIRST_MOMENT && ms <= LAST_MOMENT)).toBe(true)
  return Array.from({ length: table.size }, (_, row) => table.getLead(row))
}

/** Everything that looks at all leads: lists in every order, choices, what is to be done, numbers for either reader. */
async function readEverything(period: object): Promise<unknown[]> {
  const reader = requirePermission(ada, 'leads:read')
  const answers: unknown[] = [await getDay(desk.parts, reader, {})]
  for (const name of Object.keys(QUEUES) as QueueName[])
    answers.push(await listQueue(desk.parts, reader, name, { offset: 0, limit: 100 }))
  for (const kind of LEAD_KINDS) {
    const { list, sorts } = LISTS_BY_KIND[kind]
    for (const filter of [{}, period, { late: true }, { waiting: true }, { q: '070' }])
      answers.push(await getListCounts(desk.parts, reader, { matching: { list, ...filter } }))
    for (const sort of sorts) answers.push(await listLeads(desk.parts, reader, list, { sort, offset: 0, limit: 500 }))
  }
  for (const viewer of [ada, boss]) {
    const interest = requirePermission(viewer, 'interest:read')
    for (const query of [{}, { cohort: 1900 }, { cohort: 9999 }])
      for (const verb of [getInterest, getInterestPage]) answers.push(await verb(desk.parts, interest, query))
  }
  return answers
}

/** What ISO 8601 has no four digits for, and what no number is. */
const NO_DAY = /"[+-]\d{6}-\d\d|Invalid|\d-W(?:NaN|\d{3})|"0?0?-\d+-W/

const questions = await readRecords('asked-question')
const declarations = await readRecords('declaration-of-interest')

const [from, to] = ['1900-01-01', '8999-12-31']
test.each([
  ['2026-11-20T08:00:00Z', { from, to }],
  ['2027-01-01T00:00:00Z', { from }],
  ['2028-02-29T23:30:00Z', { to }],
])('lists, goals, seasons, weeks and numbers of extreme moments, years and texts end, at %s', async (now, period) => {
  desk.time.ms = Date.parse(now)
  desk.setQuestions(questions)
  desk.setDeclarations(declarations)
  expect(JSON.stringify(await readEverything(period))).not.toMatch(NO_DAY)
})

test.each(['csv', 'xlsx', 'vcf'] as const)('a %s file of them ends', async (format) => {
  const triage = { status: 'new', assignee: null, updatedAt: null } as const
  const exported = [...questions, ...declarations].map((lead) => ({ lead, triage, school: lead.highSchoolId }))
  expect((await writeExportFile(format, exported)).length).toBeGreaterThan(exported.length)
})
