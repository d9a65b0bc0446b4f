import { queryOptions } from '@tanstack/react-query'
import type { PeopleAnswer } from '@/lib/contract/people'
import { ApiError } from './api-error'
import { isRecord } from './lead-page'
import { request } from './request'

const STALE_MS = 5 * 60_000

/** Who leads can be assigned to. */
export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: ({ signal }) => request('/api/people', { read: readPeople, signal }),
  staleTime: STALE_MS,
})

function readPeople(body: unknown): PeopleAnswer {
  if (!isPeople(body)) throw new ApiError('unreadable', 200)
  return body
}

function isPeople(body: unknown): body is PeopleAnswer {
  return isRecord(body) && Array.isArray(body['people'])
}
