import 'server-only'
import { errorResponse } from './error-response'
import { privateHeaders } from './json-response'
import { services } from '@/server/services'

/**
 * An answer of JSON lines, told while the work goes on. `work`'s signal is aborted when the reader goes away. As the status
 * has left already, a failure is a last line `{error}` like that of any other answer.
 */
export function ndjsonStream<Line>(
  requestSignal: AbortSignal,
  work: (tell: (line: Line) => void, signal: AbortSignal) => Promise<void>,
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
        services().logger.error({ err }, 'a streamed answer failed')
        write(await errorResponse(err).json())
      }
      if (!signal.aborted) controller.close()
    },
    cancel: () => gone.abort(),
  })
  return new Response(stream, {
    headers: {
      ...privateHeaders,
      'content-type': 'application/x-ndjson; charset=utf-8',
      'cache-control': 'private, no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  })
}
