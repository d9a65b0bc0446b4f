import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type {
  EmailsAnswer,
  ExportFormat,
  ExportHistory,
  ExportPreview,
  ExportTarget,
  NewExport,
} from '@/lib/contract/export'
import { ApiError } from './api-error'
import { isRecord } from './lead-page'
import { queryString } from './query-string'
import { request } from './request'

const PATH = '/api/exports'
/** Leads come and go while somebody chooses columns. */
const COUNT_EVERY_MS = 10_000
export const EXPORT_PREVIEWS = ['export-preview'] as const

/** What an export of these leads would hold; asked anew whenever somebody is about to export. */
export function exportPreview(target: ExportTarget, format: ExportFormat) {
  const body = { ...target, format: format === 'emails' ? format : 'xlsx' }
  return queryOptions({
    queryKey: [...EXPORT_PREVIEWS, body],
    queryFn: ({ signal }) => request(`${PATH}/preview`, { method: 'POST', body, read: readPreview, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: COUNT_EVERY_MS,
  })
}

/** The person's exports, newest first, page by page. */
export const exportHistory = infiniteQueryOptions({
  queryKey: ['export-history'],
  queryFn: ({ pageParam, signal }) => request(PATH + queryString({ before: pageParam }), { read: readHistory, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => (page.hasMore ? page.exports.at(-1)?.at : undefined),
})

/** The distinct addresses of the leads; logged as an export. */
export function exportEmails(body: NewExport): Promise<EmailsAnswer> {
  return request(PATH, { method: 'POST', body: { ...body, format: 'emails' }, read: readEmails })
}

function readPreview(body: unknown): ExportPreview {
  if (!isPreview(body)) throw new ApiError('unreadable', 200)
  return body
}

function isPreview(body: unknown): body is ExportPreview {
  return isRecord(body) && typeof body['count'] === 'number'
}

function readHistory(body: unknown): ExportHistory {
  if (!isHistory(body)) throw new ApiError('unreadable', 200)
  return body
}

function isHistory(body: unknown): body is ExportHistory {
  return isRecord(body) && Array.isArray(body['exports'])
}

function readEmails(body: unknown): EmailsAnswer {
  if (!isEmails(body)) throw new ApiError('unreadable', 200)
  return body
}

function isEmails(body: unknown): body is EmailsAnswer {
  return isRecord(body) && Array.isArray(body['emails'])
}
