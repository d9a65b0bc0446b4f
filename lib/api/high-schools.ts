import { queryOptions } from '@tanstack/react-query'
import type { HighSchoolsAnswer } from '@/lib/contract/lists'
import { ApiError } from './api-error'
import { isRecord, isSnapshot } from './lead-page'
import { request } from './request'

const STALE_MS = 5 * 60_000

/** The schools within the person's reach, in Swedish alphabetical order. */
export function highSchools() {
  return queryOptions({
    queryKey: ['high-schools'],
    queryFn: ({ signal }) => request('/api/high-schools', { read: readHighSchools, signal }),
    staleTime: STALE_MS,
  })
}

function readHighSchools(body: unknown): HighSchoolsAnswer {
  if (!isAnswer(body)) throw new ApiError('unreadable', 200)
  return body
}

function isAnswer(body: unknown): body is HighSchoolsAnswer {
  return isRecord(body) && Array.isArray(body['highSchools']) && isSnapshot(body['snapshot'])
}
