import { queryOptions, useQuery } from '@tanstack/react-query'
import { useIsLive } from '@/components/browser/live'
import { useIsTakenOver } from '@/components/browser/browser-tab'
import { api } from '@/lib/api/call'
import { hardlyWhileLive, STATUS_KEY, sentMeanwhile } from '@/lib/api/refresh'
import type { ProblemInfo, Status } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'

const JUST_TOLD_MS = 5_000

/** The state of the feed; the live stream begins with it. A hidden tab asks for nothing. */
export const statusQuery = queryOptions({
  queryKey: STATUS_KEY,
  queryFn: async ({ signal, client }): Promise<Status> => {
    const isFirst = client.getQueryData(STATUS_KEY) === undefined
    const sent = isFirst ? await sentMeanwhile<Status>(client, STATUS_KEY, signal) : undefined
    return sent ?? api('GET /api/status', { signal })
  },
  staleTime: JUST_TOLD_MS,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: true,
})

export function useStatus() {
  const isLive = useIsLive()
  return useQuery({ ...statusQuery, refetchInterval: hardlyWhileLive(isLive, statusInterval) })
}

const LEAST_MS = 5_000
const JITTER_MS = 1_000

type Observed = { data: Pick<Status, 'lists' | 'problems' | 'now'> | undefined }

/** Milliseconds until the next fetch of a list, by the server's clock; `chance` in [0, 1) spreads the browsers out. */
export function statusInterval({ data }: Observed, chance: number): number {
  const moments = [
    ...Object.values(data?.lists ?? {}).map((list) => list?.nextAt),
    ...(data?.problems ?? []).map(({ retryAt }) => retryAt),
  ]
  const planned = moments.flatMap((at) => (at ? [Date.parse(at)] : []))
  const wait = planned.length === 0 ? 0 : Math.min(...planned) - Date.parse(data?.now ?? '')
  return Math.max(LEAST_MS, wait) + chance * JITTER_MS
}

/** For what is in the HTML: undefined until the browser has taken over, which the stream may be ahead of. */
export function useStatusLater(): Status | undefined {
  const { data } = useStatus()
  return useIsTakenOver() ? data : undefined
}

/** Whether one of the lists that a screen shows has never come; null before the status is known. */
export function useNothingYet(lists: readonly FeedList[]): boolean | null {
  const status = useStatusLater()
  return status === undefined ? null : lists.some((list) => status.lists[list] === null)
}

export function wordOfProblem({ kind, isHeldBack, at }: Omit<ProblemInfo, 'since'>) {
  return isHeldBack ? 'heldBack' : (at ?? kind)
}
