import { queryOptions } from '@tanstack/react-query'
import type { LeadList } from '@/lib/contract/lead'
import type { ListCounts } from '@/lib/contract/list-counts'
import type { LeadFilter } from '@/lib/contract/list-query'
import { ApiError } from './api-error'
import { isRecord } from './lead-page'
import { request } from './request'

const SETTLE_MS = 250

export const countsKey = (list: LeadList) => ['counts', list] as const

/** How many leads each choice of each filter would show. Asked once the filter has settled: not at every letter. */
export function listCounts(list: LeadList, filter: LeadFilter) {
  return queryOptions({
    queryKey: [...countsKey(list), filter],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
      signal.throwIfAborted()
      return request('/api/list-counts', {
        method: 'POST',
        body: { matching: { list, ...filter } },
        read: readCounts,
        signal,
      })
    },
    staleTime: 10_000,
  })
}

function readCounts(body: unknown): ListCounts {
  if (!isCounts(body)) throw new ApiError('unreadable', 200)
  return body
}

function isCounts(body: unknown): body is ListCounts {
  return isRecord(body) && typeof body['total'] === 'number' && isRecord(body['status'])
}
