import type { ActivityAnswer } from '@/lib/contract/activity'
import type { LeadKind } from '@/lib/contract/lead'
import { ApiError } from './api-error'
import { isRecord } from './lead-page'
import { queryString } from './query-string'
import { request } from './request'

export type ActivitySearch = {
  user?: string | undefined
  kind?: LeadKind | undefined
  id?: string | undefined
  action?: string | undefined
}

const ACTIVITY_PAGE = 50

/** Who did what, newest first, from the entry after `before`; for administrators. */
export function readActivity(
  search: ActivitySearch,
  before: number | undefined,
  signal: AbortSignal,
): Promise<ActivityAnswer> {
  const query = queryString({ ...search, before, limit: ACTIVITY_PAGE })
  return request(`/api/activity${query}`, { read: readAnswer, signal })
}

function readAnswer(body: unknown): ActivityAnswer {
  if (!isActivity(body)) throw new ApiError('unreadable', 200)
  return body
}

function isActivity(body: unknown): body is ActivityAnswer {
  return isRecord(body) && Array.isArray(body['entries']) && typeof body['hasMore'] === 'boolean'
}
