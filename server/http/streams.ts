import 'server-only'
import type { Logger } from '@/server/logger'
import { errorResponse, privateHeaders } from './responses'

export type EventSender = {
  /** Whole events, as a stream has them. */
  write: (text: string) => void
  close: () => void
}

/** Nothing on the way may keep, shorten or delay what comes. */
const streamHeaders = { 'cache-control': 'private, no-store, no-transform', 'x-accel-buffering': 'no' }
/** How long a browser waits before it comes back after a stream has ended, ms. */
const RETRY_MS = 3_000
/** A reader that has let this many chunks wait is gone or stuck; it can come back and catch up. */
const MOST_WAITING = 100

/**
 * An answer of server-sent events (WHATWG HTML, section 9.2). `open` gets the sender and answers what to clean up; it is
 * called once, whoever ends the stream.
 */
export function eventStream(signal: AbortSignal, open: (sender: EventSender) => () => void): Response {
  const encoder = new TextEncoder()
  let end = () => {}
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      let ended = false
      let cleanUp = () => {}
      const write = (text: string) => {
        if (ended) return
        controller.enqueue(encoder.encode(text))
        if ((controller.desiredSize ?? 0) < -MOST_WAITING) end()
      }
      end = () => {
        if (ended) return
        ended = true
        cleanUp()
        try {
          controller.close()
        } catch {
          // The reader has cancelled already.
        }
      }
      write(`retry: ${RETRY_MS}\n\n`)
      cleanUp = open({
        write,
        close: () => end(),
      })
      if (ended) cleanUp()
      if (signal.aborted) end()
      else signal.addEventListener('abort', () => end(), { once: true })
    },
    cancel: () => end(),
  })
  return new Response(stream, {
    headers: { ...streamHeaders, 'content-type': 'text/event-stream; charset=utf-8' },
  })
}

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
