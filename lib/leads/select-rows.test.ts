import { expect, test } from 'vitest'
import type { LeadFilter } from '@/lib/contract/list-query'
import { findNewerRows, omitNewer } from './newer-rows'
import { type SelectionContext, selectRows } from './select-rows'
import { leadTableOf } from './testing/lead-table-of'
import { declaration, question, unrestrictedContext } from './testing/leads'
import type { TriageEntry } from './triage-entry'

const table = leadTableOf('declaration-of-interest', [
  declaration('1', { school: 'norra', createdAt: '2026-11-20T07:12:00.000Z' }),
  declaration('2', { school: 'sodra', createdAt: '2026-11-19T23:30:00.000Z' }),
  declaration('3', { school: 'norra', createdAt: '2026-11-19T22:30:00.000Z', highSchoolEnrollmentYear: 2028 }),
  declaration('4', { school: 'vast', createdAt: '2026-10-25T00:30:00.000Z', highSchoolEnrollmentYear: null }),
])
const questions = leadTableOf(
  'asked-question',
  ['email', 'phone', 'pigeon'].map((mode) => question(mode, { mode })),
)
const entry = (status: TriageEntry['status'], assigneeId: string) => ({ status, assigneeId, updatedAt: 0 })
const visited = { lastVisitAt: Date.parse('2026-11-19T22:30:00.000Z') }

test.each<[string, LeadFilter, Partial<SelectionContext>, string]>([
  ['without a filter everything, newest first', {}, {}, '1 2 3 4'],
  ['the ids, once each', { id: ['3', '1', '3', 'no-such-id'] }, {}, '1 3'],
  ['a Stockholm day', { from: '2026-11-20', to: '2026-11-20' }, {}, '1 2'],
  ['all up to a day', { to: '2026-11-19' }, {}, '3 4'],
  ['the day the clock goes back', { from: '2026-10-25', to: '2026-10-25' }, {}, '4'],
  ['everything on a first visit', { fresh: true }, {}, '1 2 3 4'],
])('selects %s', (_, filter, context, ids) => {
  const rows = selectRows(table, filter, { ...unrestrictedContext, ...context })
  expect(Array.from(rows, (row) => table.id[row]).join(' ')).toBe(ids)
})

test('fresh is what Intag had after the last visit, whatever its own date; a mode is how the sender wants an answer', () => {
  const seenAt = Float64Array.from(table.id, (id) => visited.lastVisitAt + (id === '4' ? 1 : -1))
  expect([...selectRows({ ...table, seenAt }, { fresh: true }, { ...unrestrictedContext, ...visited })]).toEqual([3])
  const rows = selectRows(questions, { mode: ['email', 'phone'] }, unrestrictedContext)
  expect(Array.from(rows, (row) => questions.id[row])).toEqual(['email', 'phone'])
})

test('what Intag had later waits, whatever its own date, but for what the user has changed since', () => {
  const until = '2026-11-20T08:00:00.000Z'
  const seenAt = Float64Array.from(table.id, (id) => Date.parse(until) + (id === '1' ? 0 : 1))
  const changedBy = (updatedById: string) => ({ ...entry('new', 'x'), updatedById })
  const changes = new Map([
    ['2', changedBy('other')],
    ['3', changedBy('me')],
  ])
  const select = (moment?: string) => {
    const newer = findNewerRows({ ...table, seenAt }, moment, { triage: changes, viewerId: 'me' })
    return omitNewer({ ...table, seenAt }, Uint32Array.of(0, 1, 2, 3), newer)
  }
  expect(select()).toMatchObject({ rows: Uint32Array.of(0, 1, 2, 3), waiting: 0 })
  expect(select(until)).toEqual({ rows: Uint32Array.of(0, 2), waiting: 2, newest: Date.parse(until) + 1 })
})
