import { describe, expect, it } from 'vitest'
import type { SnapshotInfo, Status } from '@/lib/contract/feed-status'
import { feedState, problemOfMissing } from './feed-state'
import { statusInterval } from './feed-status'

describe('when the status is asked for again', () => {
  const NOW = Date.parse('2026-11-20T07:00:00.000Z')
  const due = (inSeconds: number): SnapshotInfo => ({
    fetchedAt: '2026-11-20T06:59:58.000Z',
    nextAt: new Date(NOW + inSeconds * 1_000).toISOString(),
    stale: false,
    problem: null,
    version: 1,
    unreadable: 0,
  })
  const seen = (
    questions: SnapshotInfo | null,
    declarations: SnapshotInfo | null,
    problems: Status['problems'] = [],
  ) => ({
    data: {
      now: new Date(NOW).toISOString(),
      lists: { 'asked-questions': questions, 'declarations-of-interest': declarations, 'high-schools': due(500) },
      problems,
    },
  })

  it('asks when the sooner list is next fetched, a little spread out', () => {
    expect(statusInterval(seen(due(20), due(9)), 0)).toBe(9_000)
    expect(statusInterval(seen(due(20), due(9)), 0.5)).toBe(9_500)
  })

  it('asks when what has never come is tried again', () => {
    const refused: Status['problems'][number] = {
      list: 'asked-questions',
      kind: 'unauthenticated',
      since: '2026-11-20T06:59:00.000Z',
      retryAt: new Date(NOW + 120_000).toISOString(),
    }
    expect(statusInterval(seen(null, null, [refused]), 0)).toBe(120_000)
  })

  it('never more often than every five seconds, also while nothing is known', () => {
    expect(statusInterval(seen(due(-30), due(9)), 0)).toBe(5_000)
    expect(statusInterval({ data: undefined }, 0)).toBe(5_000)
  })
})

const now = Date.parse('2026-11-20T08:00:00Z')
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString()
const snapshot = (change: Partial<SnapshotInfo> = {}): SnapshotInfo => ({
  fetchedAt: at(-8),
  nextAt: at(4),
  stale: false,
  problem: null,
  version: 1,
  unreadable: 0,
  ...change,
})
const stateOf = (
  questions: SnapshotInfo | null,
  declarations: SnapshotInfo | null,
  problems: Status['problems'] = [],
) =>
  feedState(
    {
      lists: { 'asked-questions': questions, 'declarations-of-interest': declarations, 'high-schools': null },
      problems,
    },
    now,
  )

describe('the state of the feed, in one line', () => {
  it('is starting until both lists have come once', () => {
    expect(stateOf(null, null)).toEqual({ kind: 'starting', problem: null })
    expect(stateOf(snapshot(), null)).toEqual({ kind: 'starting', problem: null })
  })

  it('is as old as the older list and as soon as the sooner', () => {
    const state = stateOf(
      snapshot({ fetchedAt: at(-30), nextAt: at(10) }),
      snapshot({ fetchedAt: at(-6), nextAt: at(6) }),
    )
    expect(state).toMatchObject({ kind: 'fresh', ageMs: 30_000, nextInMs: 6000, progress: 0.5 })
  })

  it('is full and waits for nothing once the next refresh is due', () => {
    expect(stateOf(snapshot({ nextAt: at(-1) }), snapshot())).toMatchObject({ nextInMs: 0, progress: 1 })
    expect(stateOf(snapshot({ nextAt: null }), snapshot({ nextAt: null }))).toMatchObject({
      nextInMs: null,
      progress: 1,
    })
  })

  it('never comes from the future, even when this clock is behind', () => {
    expect(stateOf(snapshot({ fetchedAt: at(5) }), snapshot({ fetchedAt: at(5) }))).toMatchObject({
      ageMs: 0,
      progress: 0,
    })
  })

  it('tells of the problem that has lasted longest, and when that list is tried again', () => {
    const state = stateOf(snapshot({ stale: true }), snapshot({ stale: true }), [
      { list: 'asked-questions', kind: 'unavailable', since: at(-60), retryAt: at(5) },
      { list: 'high-schools', kind: 'rate-limited', since: at(-90), retryAt: at(40) },
    ])
    const problem = { kind: 'rate-limited', sinceMs: now - 90_000, retryInMs: 40_000 }
    expect(state).toMatchObject({ kind: 'late', problem })
  })

  it('tells of a problem that was there before the first data', () => {
    const state = stateOf(null, null, [
      { list: 'asked-questions', kind: 'unauthenticated', since: at(-10), retryAt: null },
    ])
    const problem = { kind: 'unauthenticated', sinceMs: now - 10_000, retryInMs: null }
    expect(state).toEqual({ kind: 'starting', problem })
  })

  it('counts the unreadable records of both lists', () => {
    expect(stateOf(snapshot({ unreadable: 2 }), snapshot({ unreadable: 1 }))).toMatchObject({ unreadable: 3 })
  })
})

it('why a screen has nothing is told of the lists that it shows and that have never come, and of no other', () => {
  const given = {
    lists: { 'asked-questions': null, 'declarations-of-interest': null, 'high-schools': snapshot() },
    problems: (['declarations-of-interest', 'high-schools'] as const).map((list) => ({
      list,
      kind: 'unauthorized' as const,
      since: at(list === 'high-schools' ? -90 : -60),
      retryAt: at(40),
    })),
  }
  expect(problemOfMissing(given, ['asked-questions', 'high-schools'])).toBeNull()
  const told = { kind: 'unauthorized', sinceMs: now - 60_000, retryInMs: now + 40_000 }
  expect(problemOfMissing(given, ['asked-questions', 'declarations-of-interest', 'high-schools'])).toEqual(told)
})
