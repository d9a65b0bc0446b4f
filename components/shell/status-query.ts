import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '@/lib/api/api-error'
import { isRecord } from '@/lib/api/lead-page'
import { request } from '@/lib/api/request'
import type { Status } from '@/lib/contract/status'

const LEAST_MS = 5_000
const JITTER_MS = 1_000
const TAB_CHANCE = Math.random()

/** The state of the feed. A hidden tab asks for nothing. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => request('/api/status', { read: readStatus, signal }),
  refetchInterval: ({ state }) => untilNext(state, TAB_CHANCE),
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: true,
})

type Observed = { data: Pick<Status, 'lists'> | undefined; dataUpdatedAt: number }

/**
 * Milliseconds from the last answer until the sooner of the lists is fetched, for then there is news; `chance` in [0, 1)
 * spreads the browsers out. The same for the same answer, or every rendering would start the waiting over.
 */
export function untilNext({ data, dataUpdatedAt }: Observed, chance: number): number {
  const planned = Object.values(data?.lists ?? {}).flatMap((list) => (list?.nextAt ? [Date.parse(list.nextAt)] : []))
  const wait = planned.length === 0 ? 0 : Math.min(...planned) - dataUpdatedAt
  return Math.max(LEAST_MS, wait) + chance * JITTER_MS
}

function readStatus(body: unknown): Status {
  if (!isStatus(body)) throw new ApiError('unreadable', 200)
  return body
}

/** The outer shape only: both ends are one build. */
function isStatus(body: unknown): body is Status {
  return isRecord(body) && isRecord(body['lists']) && isRecord(body['budget'])
}
