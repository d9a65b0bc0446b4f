import { expect, test } from 'vitest'
import type { LeadFilter } from '@/lib/contract/list-query'
import { type SelectionContext, selectRows } from './select-rows'
import { leadTableOf } from './testing/lead-table-of'
import { declaration, question, unrestrictedContext } from './testing/leads'
import type { TriageEntry } from './triage-columns'

const table = leadTableOf('declaration-of-interest', [
  declaration('1', { school: 'norra', createdAt: '2026-11-20T07:12:00.000Z' }),
  declaration('2', { school: 'sodra', createdAt: '2026-11-19T23:30:00.000Z' }),
  declaration('3', { school: 'norra', createdAt: '2026-11-19T22:30:00.000Z', highSchoolEnrollmentYear: 2028 }),
  declaration('4', { school: 'vast', createdAt: '2026-10-25T00:30:00.000Z', highSchoolEnrollmentYear: null }),
])

function found(filter: LeadFilter, context: Partial<SelectionContext> = {}): string[] {
  return Array.from(selectRows(table, filter, { ...unrestrictedContext, ...context }), (row) => table.id[row] ?? '')
}

test('without a filter everything in scope, newest first', () => {
  expect(found({})).toEqual(['1', '2', '3', '4'])
  expect(found({}, { schools: new Set(['norra']) })).toEqual(['1', '3'])
  expect(found({}, { schools: new Set() })).toEqual([])
})

test('a school outside the scope adds nothing, alone or beside one’s own', () => {
  const schools = new Set(['norra'])
  expect(found({ school: ['sodra'] }, { schools })).toEqual([])
  expect(found({ school: ['sodra', 'norra'] }, { schools })).toEqual(['1', '3'])
  expect(found({ id: ['2'] }, { schools })).toEqual([])
  expect(found({ school: ['no-such-school'] })).toEqual([])
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

test('status and assignee come from triage; an untouched lead is new and unassigned', () => {
  const entry = (status: TriageEntry['status'], assigneeId: string) => ({ status, assigneeId, updatedAt: 0 })
  const triage = new Map([
    ['1', entry('handled', 'me')],
    ['2', entry('new', 'other')],
  ])
  expect(found({ status: ['new'] }, { triage })).toEqual(['2', '3', '4'])
  expect(found({ status: ['handled', 'dismissed'] }, { triage })).toEqual(['1'])
  expect(found({ assignee: ['me'] }, { triage })).toEqual(['1'])
  expect(found({ assignee: ['other'] }, { triage })).toEqual(['2'])
  expect(found({ assignee: ['none'] }, { triage })).toEqual(['3', '4'])
})

test('fresh is what came after the last visit, whatever its own date; on a first visit everything is', () => {
  const lastVisitAt = Date.parse('2026-11-19T22:30:00.000Z')
  expect(found({ fresh: true }, { lastVisitAt })).toEqual(['1', '2'])
  expect(found({ fresh: true })).toHaveLength(4)
  expect(found({ fresh: false }, { lastVisitAt: Date.now() })).toHaveLength(4)
  const seenAt = Float64Array.from(table.id, (id) => lastVisitAt + (id === '4' ? 1 : -1))
  expect([...selectRows({ ...table, seenAt }, { fresh: true }, { ...unrestrictedContext, lastVisitAt })]).toEqual([3])
})

test('questions are chosen by how the sender wants to be reached', () => {
  const modes = ['email', 'phone', 'pigeon']
  const questions = leadTableOf(
    'asked-question',
    modes.map((mode) => question(mode, { mode })),
  )
  const ids = (filter: LeadFilter) =>
    Array.from(selectRows(questions, filter, unrestrictedContext), (row) => questions.id[row])
  expect(ids({ mode: ['phone'] })).toEqual(['phone'])
  expect(ids({ mode: ['email', 'phone'] })).toEqual(['email', 'phone'])
})
