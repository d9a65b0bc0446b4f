import type { QueryClient } from '@tanstack/react-query'
import { apiQueryKey } from './call'

const POLL_INTERVAL_MS = 10_000
const JITTER_MS = 1_500
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

/** Returns a `refetchInterval`, which is long while a live stream is open and no request has failed. */
export function pollUnlessLive(isLive: boolean, intervalMs = POLL_INTERVAL_MS, random = TAB_RANDOM) {
  return ({ state }: { state: { error: unknown } }) =>
    isLive && state.error === null ? LIVE_INTERVAL_MS : intervalMs + random * JITTER_MS
}
