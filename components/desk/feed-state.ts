import type { ProblemInfo, Status } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'

type FeedProblem = Omit<ProblemInfo, 'since'> & { sinceMs: number; retryInMs: number | null }

export type FeedState =
  | { kind: 'starting'; problem: FeedProblem | null }
  | {
      kind: 'fresh' | 'late'
      ageMs: number
      nextInMs: number | null
      progress: number
      problem: FeedProblem | null
      unreadable: number
    }

/** One line for both lists: as old as the older, as soon as the sooner, and the problem that has lasted longest. */
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
    progress: nextAt === null ? 1 : progressOf(Math.max(...fetched), nextAt, nowMs),
    problem,
    unreadable: snapshots.reduce((sum, list) => sum + list.unreadable, 0),
  }
}

/** Why those of the lists that have never come do not come. Its times are moments, in milliseconds since 1970. */
export function problemOfMissing(
  { lists, problems }: Pick<Status, 'lists' | 'problems'>,
  wanted: readonly FeedList[],
): FeedProblem | null {
  const ofMissing = problems.filter(({ list }) => wanted.includes(list) && lists[list] === null)
  // Counted from the beginning of time, "in so many milliseconds" is a moment.
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

function progressOf(fromMs: number, toMs: number, nowMs: number): number {
  if (nowMs >= toMs) return 1
  return nowMs <= fromMs ? 0 : (nowMs - fromMs) / (toMs - fromMs)
}
