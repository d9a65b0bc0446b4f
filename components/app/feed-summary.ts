import type { ProblemInfo, Status } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'

type FeedState = Pick<Status, 'lists' | 'problems'>
type FeedProblem = Status['problems'][number]

type FeedSummary = { problem: FeedProblem | null } & (
  | { kind: 'starting' }
  | { kind: 'fresh' | 'late'; ageMs: number; nextFetchInMs: number | null; unreadableCount: number }
)

/** Summarizes both lists: the age of the older, the next fetch of either, and the problem that has lasted longest. */
export function summarizeFeed({ lists, problems }: FeedState, nowMs: number): FeedSummary {
  const problem = findLongestProblem(problems)
  const { 'asked-questions': questions, 'declarations-of-interest': declarations } = lists
  if (questions === null || declarations === null) return { kind: 'starting', problem }
  const snapshots = [questions, declarations]
  const nextFetchTimes = snapshots.flatMap(({ nextAt }) => (nextAt === null ? [] : [Date.parse(nextAt)]))
  return {
    kind: problem !== null || snapshots.some(({ stale }) => stale) ? 'late' : 'fresh',
    ageMs: Math.max(0, nowMs - Math.min(...snapshots.map(({ fetchedAt }) => Date.parse(fetchedAt)))),
    nextFetchInMs: nextFetchTimes.length === 0 ? null : Math.max(0, Math.min(...nextFetchTimes) - nowMs),
    problem,
    unreadableCount: questions.unreadable + declarations.unreadable,
  }
}

/** Returns the problem that has lasted longest among those `neededLists` that were never fetched, or null. */
export function findMissingProblem(
  { lists, problems }: FeedState,
  neededLists: readonly FeedList[],
): FeedProblem | null {
  return findLongestProblem(problems.filter(({ list }) => neededLists.includes(list) && lists[list] === null))
}

function findLongestProblem(problems: Status['problems']): FeedProblem | null {
  return problems.toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since))[0] ?? null
}

/** Returns the problem as a key of the messages `status.problem`. `at` names what failed in Intag itself. */
export function toProblemKey({ kind, isHeldBack, at }: Omit<ProblemInfo, 'since'>) {
  return isHeldBack ? 'heldBack' : (at ?? kind)
}

/** Tells what remedies a problem: a valid API key, which an administrator must set, or waiting. */
export function findRemedy({ kind }: Pick<ProblemInfo, 'kind'>): 'key' | 'wait' {
  return kind === 'unauthenticated' || kind === 'unauthorized' ? 'key' : 'wait'
}
