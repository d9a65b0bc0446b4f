import { allIsWork } from '@/lib/leads/work-rules'
import { expect, test } from 'vitest'
import type { DeclarationOfInterest } from '@/lib/contract/lead'
import type { LeadFilter } from '@/lib/contract/list-query'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { question } from '@/lib/leads/testing/leads'
import { type SelectionContext, selectRows } from './select-rows'
import type { TriageEntry } from './triage-columns'

const LEADS = [
  declaration('1', 'norra', '2026-11-20T07:12:00.000Z', [
    'Åsa',
    'Öberg',
    'Asa.Oberg@example.se',
    '070-174 06 05',
    2027,
  ]),
  declaration('2', 'sodra', '2026-11-19T23:30:00.000Z', ['Erik', 'Lind', 'erik@example.se', '+46701740606', 2027]),
  declaration('3', 'norra', '2026-11-19T22:30:00.000Z', ['Maja', 'Ek', 'maja@example.com', '0046 70 174 06 07', 2028]),
  declaration('4', 'vast', '2026-10-25T00:30:00.000Z', ['Yusuf', 'Al-Rashid', null, null, null]),
]
const table = leadTableOf('declaration-of-interest', LEADS)
const anyone: SelectionContext = {
  schools: 'all',
  viewerId: 'me-1',
  lastVisitAt: null,
  work: allIsWork,
  triage: new Map(),
}

function found(filter: LeadFilter, context: Partial<SelectionContext> = {}): string[] {
  return Array.from(selectRows(table, filter, { ...anyone, ...context }), (row) => table.id[row] ?? '')
}

test('without a filter everything within reach, newest first', () => {
  expect(found({})).toEqual(['1', '2', '3', '4'])
  expect(found({}, { schools: new Set(['norra']) })).toEqual(['1', '3'])
  expect(found({}, { schools: new Set() })).toEqual([])
})

test('a school outside the reach adds nothing, alone or beside one’s own', () => {
  const schools = new Set(['norra'])
  expect(found({ school: ['sodra'] }, { schools })).toEqual([])
  expect(found({ school: ['sodra', 'norra'] }, { schools })).toEqual(['1', '3'])
  expect(found({ id: ['2'] }, { schools })).toEqual([])
  expect(found({ school: ['no-such-school'] })).toEqual([])
})

test('finds names without their accents, words in any order, parts of words', () => {
  expect(found({ q: 'asa' })).toEqual(['1'])
  expect(found({ q: 'ÖBERG åsa' })).toEqual(['1'])
  expect(found({ q: 'oberg@example' })).toEqual(['1'])
  expect(found({ q: 'rashid' })).toEqual(['4'])
  expect(found({ q: 'asa lind' })).toEqual([])
  expect(found({ q: '   ' })).toHaveLength(4)
})

test('finds a phone in any spelling', () => {
  for (const q of ['0701740605', '070-174 06 05', '+46701740605', '0046 70 174 06 05', '1740605'])
    expect(found({ q }), q).toEqual(['1'])
  expect(found({ q: '070-174' })).toEqual(['1', '2', '3'])
})

test('days are Stockholm days, both ends included, also on the day the clock goes back', () => {
  expect(found({ from: '2026-11-20', to: '2026-11-20' })).toEqual(['1', '2'])
  expect(found({ to: '2026-11-19' })).toEqual(['3', '4'])
  expect(found({ from: '2026-10-25', to: '2026-10-25' })).toEqual(['4'])
  expect(found({ from: '2026-10-26', to: '2026-11-18' })).toEqual([])
  expect(found({ from: '2026-11-20', to: '2026-11-19' })).toEqual([])
})

test('enrollment years', () => {
  expect(found({ year: [2027] })).toEqual(['1', '2'])
  expect(found({ year: [2028, 1999] })).toEqual(['3'])
})

test('status and assignee come from triage; what nobody touched is new and nobody’s', () => {
  const entry = (status: TriageEntry['status'], assigneeId: string | null): TriageEntry => ({
    status,
    assigneeId,
    updatedAt: 0,
  })
  const triage = new Map([
    ['1', entry('handled', 'me-1')],
    ['2', entry('new', 'other')],
  ])
  expect(found({ status: ['new'] }, { triage })).toEqual(['2', '3', '4'])
  expect(found({ status: ['handled', 'dismissed'] }, { triage })).toEqual(['1'])
  expect(found({ assignee: ['me'] }, { triage })).toEqual(['1'])
  expect(found({ assignee: ['other'] }, { triage })).toEqual(['2'])
  expect(found({ assignee: ['none'] }, { triage })).toEqual(['3', '4'])
})

test('fresh is what came after the last visit; on a first visit everything is', () => {
  expect(found({ fresh: true }, { lastVisitAt: Date.parse('2026-11-19T22:30:00.000Z'), work: allIsWork })).toEqual([
    '1',
    '2',
  ])
  expect(found({ fresh: true })).toHaveLength(4)
  expect(found({ fresh: false }, { lastVisitAt: Date.now(), work: allIsWork })).toHaveLength(4)
})

test('questions are chosen by how the sender wants to be reached', () => {
  const questions = leadTableOf('asked-question', [
    question('a', { text: 'När är öppet hus?' }),
    question('b', { text: 'När är öppet hus?', mode: 'phone' }),
    question('c', { text: 'När är öppet hus?', mode: 'pigeon' }),
  ])
  const ids = (filter: LeadFilter) => Array.from(selectRows(questions, filter, anyone), (row) => questions.id[row])
  expect(ids({ mode: ['phone'] })).toEqual(['b'])
  expect(ids({ mode: ['email', 'phone'] })).toEqual(['a', 'b'])
  expect(ids({ q: 'oppet hus' })).toEqual(['a', 'b', 'c'])
})

type Fields = [firstName: string, lastName: string, email: string | null, phone: string | null, year: number | null]
function declaration(id: string, highSchoolId: string, createdAt: string, fields: Fields): DeclarationOfInterest {
  const [firstName, lastName, email, phone, highSchoolEnrollmentYear] = fields
  return { id, highSchoolId, createdAt, user: { firstName, lastName, email, phone, highSchoolEnrollmentYear } }
}
