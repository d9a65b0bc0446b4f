import { describe, expect, test } from 'vitest'
import { makeViewer } from '@/server/access/viewer'
import { restrictStatus } from './feed-status'

describe('managers, who must not learn when a single lead came,', () => {
  const viewer = (role: 'manager' | 'staff') =>
    makeViewer({ id: 'x', name: 'x', email: 'x@skola.example', role, schools: 'all' })
  const statusAt = (minutes: number, version: number) => {
    const moment = (ms: number) => new Date(Date.UTC(2026, 10, 20, 7) + ms).toISOString()
    const [fetchedAt, nextAt] = [moment(minutes * 60_000 + 1_234), moment(minutes * 60_000 + 13_234)]
    const snapshot = { fetchedAt, nextAt, stale: false, problem: null, version, unreadable: 0 }
    const lists = { 'asked-questions': snapshot, 'declarations-of-interest': null, 'high-schools': snapshot }
    const budget = { spentThisHour: 1, perHour: 600 }
    return { mode: 'demo' as const, now: moment(0), lists, problems: [], budget }
  }
  const listsAt = (minutes: number, version: number) =>
    restrictStatus(viewer('manager'), statusAt(minutes, version)).lists

  test('see the same of the leads for five minutes, however many came, or none', () => {
    const first = listsAt(0, 7)['asked-questions']
    expect(first).toMatchObject({ fetchedAt: '2026-11-20T07:00:00.000Z', nextAt: '2026-11-20T07:05:00.000Z' })
    expect(listsAt(4, 90)['asked-questions']).toEqual(first)
    const later = listsAt(5, 7)['asked-questions']
    expect(later?.version).toBe((first?.version ?? 0) + 1)
    expect(listsAt(9, 8)['asked-questions']).toEqual(later)
  })

  test('see exactly how old the schools are; users who read leads see everything exactly', () => {
    expect(listsAt(4, 90)['high-schools']).toEqual(statusAt(4, 90).lists['high-schools'])
    expect(restrictStatus(viewer('staff'), statusAt(4, 90))).toEqual(statusAt(4, 90))
  })
})
