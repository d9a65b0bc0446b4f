import 'server-only'

export type EventSender = {
  /** `data` becomes one line of JSON. */
  send: (event: string, data: unknown) => void
  close: () => void
}

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
          // The reader has cancelled already; there is nobody left to tell.
        }
      }
      write(`retry: ${RETRY_MS}\n\n`)
      cleanUp = open({
        send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
        close: () => end(),
      })
      if (ended) cleanUp()
      if (signal.aborted) end()
      else signal.addEventListener('abort', () => end(), { once: true })
    },
    cancel: () => end(),
  })
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  })
}
