import { describe, expect, it, test } from 'vitest'
import { makeViewer } from '@/server/access/viewer'
import { emptyListState } from '@/server/feed/list-state'
import { statusFor } from '@/server/leads/feed-status'
import { listReport, MAX_SET_ASIDE } from './status'

test('the report on a list has its last problem, names the first records set aside and counts them all', () => {
  const unreadable = Array.from({ length: 1_000 }, (_, index) => ({ index, id: `d${index}`, reason: 'id: duplicate' }))
  const problem = { kind: 'unauthenticated', since: 0, detail: 'status 401' } as const
  const { setAside, ...report } = listReport({ ...emptyListState(), content: { unreadable }, problem }, 24)
  expect(report).toEqual({ records: 24, problem: { detail: 'status 401' } })
  expect(setAside.total).toBe(1_000)
  expect(setAside.records).toHaveLength(MAX_SET_ASIDE)
  expect(setAside.records[0]).toEqual({ index: 0, id: 'd0', reason: 'id: duplicate' })
  expect(listReport(emptyListState())).toEqual({ records: null, problem: null, setAside: { total: 0, records: [] } })
})

describe('what managers are shown of the lists', () => {
  const viewer = (role: 'manager' | 'staff') =>
    makeViewer({ id: 'x', name: 'x', email: 'x@skola.example', role, schools: 'all' })
  const at = (minutes: number, version: number) => {
    const moment = (ms: number) => new Date(Date.UTC(2026, 10, 20, 7) + ms).toISOString()
    const [fetchedAt, nextAt] = [moment(minutes * 60_000 + 1_234), moment(minutes * 60_000 + 13_234)]
    const snapshot = { fetchedAt, nextAt, stale: false, problem: null, version, unreadable: 0 }
    const lists = { 'asked-questions': snapshot, 'declarations-of-interest': null, 'high-schools': snapshot }
    const now = moment(0)
    return { mode: 'demo' as const, now, lists, problems: [], budget: { spentThisHour: 1, perHour: 600 } }
  }
  const shown = (minutes: number, version: number) => statusFor(viewer('manager'), at(minutes, version)).lists

  it('is the same for five minutes, however many leads came', () => {
    const few = shown(0, 7)['asked-questions']
    expect(shown(4, 90)['asked-questions']).toEqual(few)
    expect(few).toMatchObject({ fetchedAt: '2026-11-20T07:00:00.000Z', nextAt: '2026-11-20T07:05:00.000Z' })
    const later = shown(5, 7)['asked-questions']
    expect(later?.version).toBe((few?.version ?? 0) + 1)
    expect(later, 'nor that none came').toEqual(shown(9, 8)['asked-questions'])
  })

  it('is exact for the schools, and for users who read leads', () => {
    expect(shown(4, 90)['high-schools']).toEqual(at(4, 90).lists['high-schools'])
    expect(statusFor(viewer('staff'), at(4, 90))).toEqual(at(4, 90))
  })
})
