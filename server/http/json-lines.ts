import 'server-only'
import type { Logger } from '@/server/logger'
import { errorResponse, privateHeaders } from './responses'

/** Nothing on the way may keep, shorten or delay what comes. */
export const streamHeaders = { 'cache-control': 'private, no-store, no-transform', 'x-accel-buffering': 'no' }

/**
 * An answer of JSON lines, written while the work proceeds. `work`'s signal is aborted when the reader goes away. As the
 * status has been sent already, a failure is a last line `{error}` like that of any other answer.
 */
export function ndjsonStream<Line>(
  { logger }: { logger: Pick<Logger, 'error'> },
  requestSignal: AbortSignal,
  work: (write: (line: Line) => void, signal: AbortSignal) => Promise<void>,
): Response {
  const gone = new AbortController()
  const signal = AbortSignal.any([requestSignal, gone.signal])
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (line: unknown) => {
        if (!signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
      }
      try {
        await work(write, signal)
      } catch (err) {
        if (signal.aborted) return
        logger.error({ err }, 'a streamed answer failed')
        write(await errorResponse(err).json())
      }
      if (!signal.aborted) controller.close()
    },
    cancel: () => gone.abort(),
  })
  return new Response(stream, {
    headers: { ...privateHeaders, ...streamHeaders, 'content-type': 'application/x-ndjson; charset=utf-8' },
  })
}
