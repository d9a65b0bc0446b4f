import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type {
  EmailsAnswer,
  ExportFormat,
  ExportHistory,
  ExportPreview,
  ExportTarget,
  NewExport,
} from '@/lib/contract/export'
import { ApiError, queryString, reached, request, send } from './send'
import { shape } from './shape'

const PATH = '/api/exports'
/** Leads come and go while somebody chooses columns. */
const COUNT_EVERY_MS = 10_000
export const EXPORT_PREVIEWS = ['export-preview'] as const

/** What an export of these leads would hold; asked anew whenever somebody is about to export. */
export function exportPreview(target: ExportTarget, format: ExportFormat, includeProtected: boolean) {
  const body = { ...target, includeProtected, format: format === 'emails' ? format : 'xlsx' }
  return queryOptions({
    queryKey: [...EXPORT_PREVIEWS, body],
    queryFn: ({ signal }) =>
      request(`${PATH}/preview`, { method: 'POST', body, read: shape<ExportPreview>({ count: 'number' }), signal }),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: COUNT_EVERY_MS,
  })
}

type ExportFile = { blob: Blob; name: string; count: number }
/** `part` goes from 0 to 1, as well as the server could foresee the size. */
export type ExportProgress = { bytes: number; part: number }

/**
 * Asks for a file and receives it into a `Blob`, which browsers keep outside of the page's memory. Aborting `signal` breaks
 * the connection, and the log says so. Every failure but an abort is an `ApiError`.
 */
export async function exportFile(
  body: NewExport,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: ExportProgress) => void },
): Promise<ExportFile> {
  const response = await send(PATH, { method: 'POST', body, signal, accept: '*/*' })
  const { headers } = response
  if (response.body === null) throw new ApiError('unreadable', response.status)
  const expected = Number(headers.get('x-export-estimated-bytes'))
  const counting = countBytes((bytes) => onProgress({ bytes, part: expected > 0 ? Math.min(1, bytes / expected) : 0 }))
  const whole = new Response(response.body.pipeThrough(counting), {
    headers: { 'content-type': headers.get('content-type') ?? 'application/octet-stream' },
  })
  const blob = await reached(signal, () => whole.blob())
  return { blob, name: nameIn(headers.get('content-disposition')), count: Number(headers.get('x-export-count')) }
}

function countBytes(tell: (bytes: number) => void): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength
      tell(bytes)
      controller.enqueue(chunk)
    },
  })
}

function nameIn(disposition: string | null): string {
  return /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? 'export'
}

/** The distinct addresses of the leads; logged as an export. */
export function exportEmails(body: NewExport): Promise<EmailsAnswer> {
  const read = shape<EmailsAnswer>({ emails: 'array' })
  return request(PATH, { method: 'POST', body: { ...body, format: 'emails' }, read })
}

/** The person's exports, newest first, page by page. */
export const exportHistory = infiniteQueryOptions({
  queryKey: ['export-history'],
  queryFn: ({ pageParam, signal }) =>
    request(PATH + queryString({ before: pageParam }), { read: shape<ExportHistory>({ exports: 'array' }), signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => (page.hasMore ? page.exports.at(-1)?.at : undefined),
})
