import { queryOptions } from '@tanstack/react-query'
import type { FeedReport } from '@/lib/contract/feed-report'
import { ApiError } from './api-error'
import { isRecord } from './lead-page'
import { request } from './request'

const EVERY_MS = 5_000

/** How the lists are fetched, for administrators. A hidden tab asks for nothing. */
export const feedReportQuery = queryOptions({
  queryKey: ['feed-report'],
  queryFn: ({ signal }) => request('/api/feed-report', { read: readFeedReport, signal }),
  refetchInterval: EVERY_MS,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: true,
})

function readFeedReport(body: unknown): FeedReport {
  if (!isFeedReport(body)) throw new ApiError('unreadable', 200)
  return body
}

/** The outer shape only: both ends are one build. */
function isFeedReport(body: unknown): body is FeedReport {
  return isRecord(body) && isRecord(body['lists']) && isRecord(body['budget']) && typeof body['at'] === 'string'
}
