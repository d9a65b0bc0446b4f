import { queryOptions, useQuery } from '@tanstack/react-query'
import { useIsHydrated } from '@/components/ui/browser-state'
import { api } from '@/lib/api/call'
import { pollUnlessLive, STATUS_KEY } from '@/lib/api/polling'
import { sleep } from '@/lib/api/send'
import type { Status } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'
import { useIsLive } from './live'

const STREAM_WAIT_MS = 1_500
const STALE_MS = 5_000

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
  staleTime: STALE_MS,
})

export function useFeedStatus() {
  return useQuery({ ...feedStatusQuery, refetchInterval: pollUnlessLive(useIsLive()) })
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
