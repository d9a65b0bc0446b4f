import { describe, expect, it } from 'vitest'
import type { SnapshotInfo, Status } from '@/lib/contract/feed-status'
import { snapshotAt } from '@/lib/inbox/testing/pages'
import { computeStatusInterval } from './feed-status'
import { findMissingProblem, summarizeFeed } from './feed-summary'

const now = Date.parse('2026-11-20T08:00:00Z')
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString()
const snapshot = (change: Partial<SnapshotInfo> = {}) => ({
  ...snapshotAt(1),
  fetchedAt: at(-8),
  nextAt: at(4),
  ...change,
})
type Lists = [questions: SnapshotInfo | null, declarations: SnapshotInfo | null, schools?: SnapshotInfo | null]
const status = ([questions, declarations, schools = null]: Lists, problems: Status['problems'] = []) => ({
  now: at(0),
  lists: { 'asked-questions': questions, 'declarations-of-interest': declarations, 'high-schools': schools },
  problems,
})
const problem = (change: Partial<Status['problems'][number]>): Status['problems'][number] => ({
  list: 'asked-questions',
  kind: 'unauthenticated',
  since: at(-10),
  retryAt: null,
  ...change,
})

describe('when the status is asked for again', () => {
  const due = (inSeconds: number) => snapshot({ nextAt: at(inSeconds) })
  const after = (lists: Lists, chance = 0, problems: Status['problems'] = []) =>
    computeStatusInterval({ data: status(lists, problems) }, chance)

  it('asks when the sooner list is next fetched, a little spread out', () => {
    expect(after([due(20), due(9), due(500)], 0.5)).toBe(9_500)
  })

  it('asks when what has never come is tried again', () => {
    expect(after([null, null, due(500)], 0, [problem({ retryAt: at(120) })])).toBe(120_000)
  })

  it('never more often than every five seconds, also while nothing is known', () => {
    expect(after([due(-30), due(9), due(500)])).toBe(5_000)
    expect(computeStatusInterval({ data: undefined }, 0)).toBe(5_000)
  })
})

describe('the state of the feed, in one line', () => {
  const stateOf = (lists: Lists, problems?: Status['problems']) => summarizeFeed(status(lists, problems), now)

  it('is starting until both lists have come once, perhaps with a problem', () => {
    expect(stateOf([snapshot(), null])).toEqual({ kind: 'starting', problem: null })
    expect(stateOf([null, null], [problem({})])).toEqual({ kind: 'starting', problem: problem({}) })
  })

  const older = snapshot({ fetchedAt: at(-30), nextAt: at(10) })
  const sooner = snapshot({ fetchedAt: at(-6), nextAt: at(6) })
  const [unplanned, ahead] = [snapshot({ nextAt: null }), snapshot({ fetchedAt: at(5) })]
  const unread = (unreadable: number) => snapshot({ unreadable })
  it.each<[string, Lists, object]>([
    ['is as old as the older list', [older, sooner], { kind: 'fresh', ageMs: 30_000 }],
    ['is fetched as soon as the sooner list', [older, sooner], { nextInMs: 6_000 }],
    ['waits no longer once the next refresh is due', [snapshot({ nextAt: at(-1) }), snapshot()], { nextInMs: 0 }],
    ['waits for nothing where none is planned', [unplanned, unplanned], { nextInMs: null }],
    ['never comes from the future, even when this clock is behind', [ahead, ahead], { ageMs: 0 }],
    ['counts what both could not read', [unread(2), unread(1)], { unreadable: 3 }],
  ])('%s', (_what, lists, state) => {
    expect(stateOf(lists)).toMatchObject(state)
  })

  it('tells of the problem that has lasted longest, and when that list is tried again', () => {
    const shorter = problem({ kind: 'unavailable', since: at(-60), retryAt: at(5) })
    const longer = problem({ list: 'high-schools', kind: 'rate-limited', since: at(-90), retryAt: at(40) })
    expect(stateOf([snapshot(), snapshot()], [shorter, longer])).toMatchObject({ kind: 'late', problem: longer })
  })
})

it('a screen says why it has nothing for the lists that it shows and that have never come', () => {
  const declarations = problem({ list: 'declarations-of-interest', since: at(-60), retryAt: at(40) })
  const given = status([null, null, snapshot()], [declarations, problem({ list: 'high-schools', since: at(-90) })])
  expect(findMissingProblem(given, ['asked-questions', 'high-schools'])).toBeNull()
  expect(findMissingProblem(given, ['asked-questions', 'declarations-of-interest', 'high-schools'])).toBe(declarations)
})
