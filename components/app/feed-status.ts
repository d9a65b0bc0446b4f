import { queryOptions, useQuery } from '@tanstack/react-query'
import { useIsHydrated } from '@/components/ui/browser-state'
import { api } from '@/lib/api/call'
import { pollUnlessLive, STATUS_KEY } from '@/lib/api/polling'
import { sleep } from '@/lib/api/send'
import type { Status } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'
import { useIsLive } from './live'

const STREAM_WAIT_MS = 1_500
const MIN_INTERVAL_MS = 5_000
const JITTER_MS = 1_000

/** Fetches the status. The first time it waits a moment for the live stream, which begins with the status. */
export const feedStatusQuery = queryOptions({
  queryKey: STATUS_KEY,
  queryFn: async ({ signal, client }): Promise<Status> => {
    if (client.getQueryData(STATUS_KEY) === undefined) {
      await sleep(signal, STREAM_WAIT_MS)
      const streamed = client.getQueryData<Status>(STATUS_KEY)
      if (streamed) return streamed
    }
    return api('GET /api/status', { signal })
  },
  staleTime: MIN_INTERVAL_MS,
})

export function useFeedStatus() {
  return useQuery({ ...feedStatusQuery, refetchInterval: pollUnlessLive(useIsLive(), computeStatusInterval) })
}

type PolledStatus = Pick<Status, 'lists' | 'problems' | 'now'>

/** Returns how long (ms) to wait before polling: until the next fetch, at least 5 s, plus `random` (0 to 1) s. */
export function computeStatusInterval({ data }: { data: PolledStatus | undefined }, random: number): number {
  const jitterMs = random * JITTER_MS
  if (data === undefined) return MIN_INTERVAL_MS + jitterMs
  const fetches = Object.values(data.lists).map((list) => list?.nextAt)
  const retries = data.problems.map(({ retryAt }) => retryAt)
  const waitsMs = [...fetches, ...retries].flatMap((at) => (at ? [Date.parse(at) - Date.parse(data.now)] : []))
  const waitMs = waitsMs.length === 0 ? 0 : Math.min(...waitsMs)
  return Math.max(MIN_INTERVAL_MS, waitMs) + jitterMs
}

/** Returns undefined until hydration, because the stream may already be ahead of the server's HTML. */
export function useHydratedFeedStatus(): Status | undefined {
  const { data } = useFeedStatus()
  return useIsHydrated() ? data : undefined
}

/** Tells whether one of these lists was never fetched, or null until the status is known. */
export function useIsListMissing(lists: readonly FeedList[]): boolean | null {
  const status = useHydratedFeedStatus()
  return status === undefined ? null : lists.some((list) => status.lists[list] === null)
}
