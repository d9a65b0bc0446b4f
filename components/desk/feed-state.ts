import type { ProblemInfo, Status } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'

type FeedProblem = Omit<ProblemInfo, 'since'> & { sinceMs: number; retryInMs: number | null }

export type FeedState =
  | { kind: 'starting'; problem: FeedProblem | null }
  | {
      kind: 'fresh' | 'late'
      ageMs: number
      nextInMs: number | null
      problem: FeedProblem | null
      unreadable: number
    }

/** One state for both lists: the age of the older, the next fetch of either, and the longest problem. */
export function feedState({ lists, problems }: Pick<Status, 'lists' | 'problems'>, nowMs: number): FeedState {
  const problem = longestProblem(problems, nowMs)
  const wanted = [lists['asked-questions'], lists['declarations-of-interest']]
  const snapshots = wanted.filter((list) => list !== null)
  if (snapshots.length < wanted.length) return { kind: 'starting', problem }

  const fetched = snapshots.map(({ fetchedAt }) => Date.parse(fetchedAt))
  const planned = snapshots.flatMap(({ nextAt }) => (nextAt === null ? [] : [Date.parse(nextAt)]))
  const nextAt = planned.length > 0 ? Math.min(...planned) : null
  return {
    kind: problem !== null || snapshots.some(({ stale }) => stale) ? 'late' : 'fresh',
    ageMs: Math.max(0, nowMs - Math.min(...fetched)),
    nextInMs: nextAt === null ? null : Math.max(0, nextAt - nowMs),
    problem,
    unreadable: snapshots.reduce((sum, list) => sum + list.unreadable, 0),
  }
}

/** The problem of lists that were never fetched. Its times are moments (ms since 1970), not durations. */
export function problemOfMissing(
  { lists, problems }: Pick<Status, 'lists' | 'problems'>,
  wanted: readonly FeedList[],
): FeedProblem | null {
  const ofMissing = problems.filter(({ list }) => wanted.includes(list) && lists[list] === null)
  // With `nowMs` 0 a duration from now is a moment.
  return longestProblem(ofMissing, 0)
}

function longestProblem(problems: Status['problems'], nowMs: number): FeedProblem | null {
  const [longest] = problems.toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since))
  if (longest === undefined) return null
  const { kind, at, since, retryAt, isHeldBack } = longest
  return {
    kind,
    ...(at && { at }),
    sinceMs: Date.parse(since),
    retryInMs: retryAt === null ? null : Math.max(0, Date.parse(retryAt) - nowMs),
    ...(isHeldBack && { isHeldBack }),
  }
}
