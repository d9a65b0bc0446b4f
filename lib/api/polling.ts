import type { QueryClient } from '@tanstack/react-query'
import type { SnapshotInfo, Status } from '@/lib/contract/feed-status'
import { apiQueryKey } from './call'
import { ApiError, toServerTime } from './send'

const MIN_INTERVAL_MS = 2_000
const JITTER_MS = 1_500
const DEFAULT_INTERVAL_MS = 15_000
const FORBIDDEN_INTERVAL_MS = 60_000
const FAILURE_INTERVAL_MS = 5_000
/** With a live stream a list is still requested this often, in case the stream misses a change. */
const LIVE_INTERVAL_MS = 120_000
/** A tab's random number never changes, because another delay would restart the timer. */
const TAB_RANDOM = Math.random()

export const STATUS_KEY = apiQueryKey('GET /api/status')

export type CachedQuery = { queryKey: readonly unknown[]; state: { data: unknown; error?: unknown } }

/** Refetches the queries that match. A request under way is not cancelled, but repeated once it has succeeded. */
export async function refetchMatching(
  client: QueryClient,
  match: { queryKey?: readonly unknown[]; predicate: (query: CachedQuery) => boolean },
): Promise<void> {
  const wasFetching = client.isFetching(match) > 0
  await client.invalidateQueries(match, { cancelRefetch: false })
  const isAnswered = (query: CachedQuery) => match.predicate(query) && (query.state.error ?? null) === null
  if (wasFetching) await client.invalidateQueries({ ...match, predicate: isAnswered }, { cancelRefetch: false })
}

export const refreshOptions = (isLive: boolean) => ({ refetchInterval: pollUnlessLive(isLive, msUntilNext) })

/** Returns a `refetchInterval`, which is long while a live stream is open and no request has failed. */
export function pollUnlessLive<State>(
  isLive: boolean,
  toDelayMs: (state: State, random: number) => number,
  random = TAB_RANDOM,
) {
  return ({ state }: { state: State & { error: unknown } }) =>
    isLive && state.error === null ? LIVE_INTERVAL_MS : toDelayMs(state, random)
}

type SnapshotState = { data: { snapshot: SnapshotInfo } | undefined; error: unknown; dataUpdatedAt: number }

/** Returns the time from the last answer to the next snapshot. */
export function msUntilNext({ data, error, dataUpdatedAt }: SnapshotState, random: number): number {
  const jitter = random * JITTER_MS
  if (error instanceof ApiError) {
    if (error.status === 401 || error.status === 403) return FORBIDDEN_INTERVAL_MS
    const retryAfterMs = error.retryAfterMs ?? FAILURE_INTERVAL_MS
    return Math.min(LIVE_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, retryAfterMs)) + jitter
  }
  const nextAt = data?.snapshot.nextAt
  if (!nextAt) return DEFAULT_INTERVAL_MS + jitter
  return Math.max(MIN_INTERVAL_MS, Date.parse(nextAt) - toServerTime(dataUpdatedAt)) + jitter
}

export const MIN_STATUS_INTERVAL_MS = 5_000
const STATUS_JITTER_MS = 1_000

type PolledStatus = Pick<Status, 'lists' | 'problems' | 'now'>

/** Returns how long (ms) to wait before polling: until the next fetch, at least 5 s, plus `random` (0 to 1) s. */
export function computeStatusInterval({ data }: { data: PolledStatus | undefined }, random: number): number {
  const jitterMs = random * STATUS_JITTER_MS
  if (data === undefined) return MIN_STATUS_INTERVAL_MS + jitterMs
  const fetches = Object.values(data.lists).map((list) => list?.nextAt)
  const retries = data.problems.map(({ retryAt }) => retryAt)
  const waitsMs = [...fetches, ...retries].flatMap((at) => (at ? [Date.parse(at) - Date.parse(data.now)] : []))
  const waitMs = waitsMs.length === 0 ? 0 : Math.min(...waitsMs)
  return Math.max(MIN_STATUS_INTERVAL_MS, waitMs) + jitterMs
}
