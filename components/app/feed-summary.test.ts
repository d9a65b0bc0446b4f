import { expect, it } from 'vitest'
import type { SnapshotInfo, Status } from '@/lib/contract/feed-status'
import { snapshotAt } from '@/lib/inbox/testing/pages'
import { findMissingProblem, summarizeFeed } from './feed-summary'

const now = Date.parse('2026-11-20T08:00:00Z')
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString()
const fetched = (change: Partial<SnapshotInfo> = {}) => {
  return { ...snapshotAt(1), fetchedAt: at(-8), nextAt: at(4), ...change }
}
const dueIn = (seconds: number) => fetched({ nextAt: at(seconds) })
type Problem = Status['problems'][number]
type Lists = [questions: SnapshotInfo | null, declarations: SnapshotInfo | null, schools?: SnapshotInfo | null]
const status = ([questions, declarations, schools = null]: Lists, problems: Problem[] = []) => {
  const lists = { 'asked-questions': questions, 'declarations-of-interest': declarations, 'high-schools': schools }
  return { now: at(0), lists, problems }
}
const problem = (change: Partial<Problem> = {}): Problem => {
  return { list: 'asked-questions', kind: 'unauthenticated', since: at(-10), retryAt: null, ...change }
}

const unplanned = fetched({ nextAt: null })
const older = fetched({ fetchedAt: at(-30), nextAt: at(10) })
const sooner = fetched({ fetchedAt: at(-6), nextAt: at(6) })
const shorter = problem({ kind: 'unavailable', since: at(-60), retryAt: at(5) })
const longer = problem({ list: 'high-schools', kind: 'rate-limited', since: at(-90), retryAt: at(40) })
it.each<[string, Lists, object, Problem[]?]>([
  ['is starting until both lists have come once', [fetched(), null], { kind: 'starting', problem: null }],
  ['may be starting with a problem', [null, null], { kind: 'starting', problem: problem() }, [problem()]],
  ['is as old as the older list', [older, sooner], { kind: 'fresh', ageMs: 30_000 }],
  ['is fetched as soon as the sooner list', [older, sooner], { nextFetchInMs: 6_000 }],
  ['waits no longer once the next refresh is due', [dueIn(-1), fetched()], { nextFetchInMs: 0 }],
  ['waits for nothing where none is planned', [unplanned, unplanned], { nextFetchInMs: null }],
  ['never comes from the future', [fetched({ fetchedAt: at(5) }), fetched({ fetchedAt: at(5) })], { ageMs: 0 }],
  ['counts what both could not read', [fetched({ unreadable: 2 }), fetched({ unreadable: 1 })], { unreadableCount: 3 }],
  ['has the longest problem', [fetched(), fetched()], { kind: 'late', problem: longer }, [shorter, longer]],
])('the feed %s', (_, lists, summary, problems) => {
  expect(summarizeFeed(status(lists, problems), now)).toMatchObject(summary)
})

it('a screen says why it has nothing for the lists that it shows and that have never come', () => {
  const declarations = problem({ list: 'declarations-of-interest', since: at(-60), retryAt: at(40) })
  const feed = status([null, null, fetched()], [declarations, problem({ list: 'high-schools', since: at(-90) })])
  expect(findMissingProblem(feed, ['asked-questions', 'high-schools'])).toBeNull()
  expect(findMissingProblem(feed, ['asked-questions', 'declarations-of-interest', 'high-schools'])).toBe(declarations)
})
