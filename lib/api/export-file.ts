import type { NewExport } from '@/lib/contract/export'
import { ApiError, kindOfStatus } from './api-error'
import { SESSION_LOST } from './request'

export type ExportFile = { blob: Blob; name: string; count: number }
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
  const response = await reached(signal, () =>
    fetch('/api/exports', {
      method: 'POST',
      signal,
      cache: 'no-store',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
  if (response.status === 401) globalThis.dispatchEvent?.(new Event(SESSION_LOST))
  if (!response.ok || response.body === null) throw new ApiError(kindOfStatus(response.status), response.status)
  const { headers } = response
  const expected = Number(headers.get('x-export-estimated-bytes'))
  const counting = countBytes((bytes) => onProgress({ bytes, part: expected > 0 ? Math.min(1, bytes / expected) : 0 }))
  const whole = new Response(response.body.pipeThrough(counting), {
    headers: { 'content-type': headers.get('content-type') ?? 'application/octet-stream' },
  })
  const blob = await reached(signal, () => whole.blob())
  return { blob, name: nameIn(headers.get('content-disposition')), count: Number(headers.get('x-export-count')) }
}

/** A connection that broke, before the answer or within it. */
async function reached<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) throw error
    throw new ApiError('offline', 0)
  }
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
