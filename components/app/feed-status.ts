import { useQuery } from '@tanstack/react-query'
import { useIsHydrated } from '@/components/ui/browser-state'
import { apiQuery } from '@/lib/api/call'
import { pollUnlessLive } from '@/lib/api/polling'
import type { Status } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'
import { useIsLive } from './live'

const STALE_MS = 5_000

export const feedStatusQuery = { ...apiQuery('GET /api/status'), staleTime: STALE_MS }

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
