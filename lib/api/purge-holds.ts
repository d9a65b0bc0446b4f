import { queryOptions } from '@tanstack/react-query'
import type { LeadList } from '@/lib/contract/lead'
import type { PurgeHoldsAnswer } from '@/lib/contract/purge-hold'
import { ApiError } from './api-error'
import { isRecord } from './lead-page'
import { request } from './request'

const EVERY_MS = 60_000

export const purgeHolds = queryOptions({
  queryKey: ['purge-holds'],
  queryFn: ({ signal }) => request('/api/purge-holds', { read: readHolds, signal }),
  refetchInterval: EVERY_MS,
  refetchOnWindowFocus: true,
})

export function agreeToPurge(list: LeadList): Promise<void> {
  return request('/api/purge-holds', { method: 'POST', body: { list }, read: () => undefined })
}

function readHolds(body: unknown): PurgeHoldsAnswer {
  if (!isHolds(body)) throw new ApiError('unreadable', 200)
  return body
}

function isHolds(body: unknown): body is PurgeHoldsAnswer {
  return isRecord(body) && Array.isArray(body['holds'])
}
