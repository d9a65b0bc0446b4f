import { NO_TRANSFORM_HEADERS } from '@/server/base/private-headers'

export type EventSender = { write: (text: string) => void; close: () => void }

/** At more the stream is closed: the browser has gone or hangs, and can reconnect. */
const MAX_QUEUED_EVENTS = 100

/** Creates a stream of server-sent events (WHATWG HTML, 9.2). `onOpen` returns the clean-up, which runs once. */
export function createEventStream(signal: AbortSignal, onOpen: (sender: EventSender) => () => void): Response {
  const encoder = new TextEncoder()
  const ending = new AbortController()
  const ended = AbortSignal.any([signal, ending.signal])
  const close = () => ending.abort()
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        if (ended.aborted) return
        controller.enqueue(encoder.encode(text))
        if ((controller.desiredSize ?? 0) < -MAX_QUEUED_EVENTS) close()
      }
      write('retry: 3000\n\n')
      const cleanUp = onOpen({ write, close })
      const end = () => {
        cleanUp()
        try {
          controller.close()
        } catch {
          // The browser may have cancelled the stream.
        }
      }
      if (ended.aborted) end()
      else ended.addEventListener('abort', end)
    },
    cancel: close,
  })
  // nginx must not buffer the stream either.
  const headers = { ...NO_TRANSFORM_HEADERS, 'x-accel-buffering': 'no' }
  return new Response(stream, { headers: { ...headers, 'content-type': 'text/event-stream; charset=utf-8' } })
}
