import { infiniteQueryOptions } from '@tanstack/react-query'
import type { ExportFormat, ExportRequestInput, ExportTarget } from '@/lib/contract/export'
import { api, apiQuery, apiQueryKey, requestApi } from './call'
import { ApiError, withOfflineError } from './send'

/** Files of all formats have the same rows, so they share a preview. It is not cached, because rows may change. */
export function exportPreviewQuery(target: ExportTarget, format: ExportFormat) {
  const body = { ...target, format: format === 'emails' ? format : 'xlsx' } as const
  return { ...apiQuery('POST /api/exports/preview', { body }), staleTime: 0, gcTime: 0, refetchInterval: 10_000 }
}

/** `fraction` goes from 0 to 1, measured by the size that the server estimated, and stays 0 without an estimate. */
export type ExportProgress = { bytes: number; fraction: number }
type DownloadOptions = { signal: AbortSignal; onProgress: (progress: ExportProgress) => void }

/** Downloads a file into a `Blob`, which browsers keep outside of the page's memory. */
export async function downloadExport(request: ExportRequestInput, { signal, onProgress }: DownloadOptions) {
  const response = await requestApi('POST /api/exports', { body: request, signal })
  const { body, headers, status } = response
  const name = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1]
  if (body === null || name === undefined) throw new ApiError('unreadable', status)
  const expectedBytes = Number(headers.get('x-export-estimated-bytes'))
  let bytes = 0
  const byteCounter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength
      onProgress({ bytes, fraction: expectedBytes > 0 ? Math.min(1, bytes / expectedBytes) : 0 })
      controller.enqueue(chunk)
    },
  })
  const received = new Response(body.pipeThrough(byteCounter), { headers })
  const blob = await withOfflineError(signal, () => received.blob())
  return { name, blob, count: Number(headers.get('x-export-count')) }
}

export const exportHistoryQuery = infiniteQueryOptions({
  queryKey: apiQueryKey('GET /api/exports'),
  queryFn: ({ pageParam, signal }) => api('GET /api/exports', { query: { before: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => (page.hasMore ? page.exports.at(-1)?.at : undefined),
})

export function classifyExportFailure(failure: Error) {
  if (!(failure instanceof ApiError)) return 'other'
  const { status, kind } = failure
  if (status === 409) return 'changed'
  return kind === 'offline' || kind === 'not-found' || kind === 'unauthorized' ? kind : 'other'
}
