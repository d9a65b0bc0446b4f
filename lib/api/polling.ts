import type { QueryClient } from '@tanstack/react-query'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import { apiQueryKey } from './call'
import { ApiError, toServerTime } from './send'

export const STATUS_KEY = apiQueryKey('GET /api/status')

export type CachedQuery = { queryKey: readonly unknown[]; state: { data: unknown; error?: unknown } }

/** Refetches the queries that match, without cancelling requests under way. If there were any, what still matches after them is refetched once more. */
export async function refetchMatching(
  client: QueryClient,
  match: { queryKey?: readonly unknown[]; predicate: (query: CachedQuery) => boolean },
): Promise<void> {
  const wasFetching = client.isFetching(match) > 0
  await client.invalidateQueries(match, { cancelRefetch: false })
  const isAnswered = (query: CachedQuery) => match.predicate(query) && (query.state.error ?? null) === null
  if (wasFetching) await client.invalidateQueries({ ...match, predicate: isAnswered }, { cancelRefetch: false })
}

const MIN_INTERVAL_MS = 2_000
const JITTER_MS = 1_500
const DEFAULT_WAIT_MS = 15_000
/** With a live stream a list is still requested this often, in case the stream misses a change. */
const LIVE_INTERVAL_MS = 120_000

const TAB_RANDOM = Math.random()

export const refreshOptions = (isLive: boolean) => ({ refetchInterval: pollUnlessLive(isLive, msUntilNext) })

/** Returns a `refetchInterval`: two minutes while there is a live stream and the last request succeeded, otherwise what `toDelayMs` says. `random` spreads the tabs of a browser. */
export function pollUnlessLive<State>(
  isLive: boolean,
  toDelayMs: (state: State, random: number) => number,
  random = TAB_RANDOM,
) {
  return ({ state }: { state: State & { error: unknown } }) =>
    isLive && state.error === null ? LIVE_INTERVAL_MS : toDelayMs(state, random)
}

/** Returns the time from the last answer to the next snapshot. The same state always gives the same number, because TanStack Query restarts its timer when the number changes. */
export function msUntilNext(
  state: { data: { snapshot: SnapshotInfo } | undefined; error: unknown; dataUpdatedAt: number },
  random: number,
): number {
  const jitter = random * JITTER_MS
  if (state.error instanceof ApiError) {
    if (state.error.status === 401 || state.error.status === 403) return DEFAULT_WAIT_MS * 4
    return Math.min(LIVE_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, state.error.retryAfterMs ?? 5_000)) + jitter
  }
  const nextAt = Date.parse(state.data?.snapshot.nextAt ?? '')
  if (Number.isNaN(nextAt)) return DEFAULT_WAIT_MS + jitter
  return Math.max(MIN_INTERVAL_MS, nextAt - toServerTime(state.dataUpdatedAt)) + jitter
}
