import { NO_TRANSFORM_HEADERS } from '@/server/base/private-headers'

export type EventSender = { write: (text: string) => void; close: () => void }

/** With more queued events the stream is closed, because the browser has gone or hangs; it can reconnect. */
const MAX_QUEUED_EVENTS = 100

/** Creates a stream of server-sent events (WHATWG HTML, 9.2). `onOpen` returns the clean-up, which runs once. */
export function createEventStream(signal: AbortSignal, onOpen: (sender: EventSender) => () => void): Response {
  const encoder = new TextEncoder()
  const closeController = new AbortController()
  const closeSignal = AbortSignal.any([signal, closeController.signal])
  const close = () => closeController.abort()
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        if (closeSignal.aborted) return
        controller.enqueue(encoder.encode(text))
        if ((controller.desiredSize ?? 0) < -MAX_QUEUED_EVENTS) close()
      }
      write('retry: 3000\n\n')
      const cleanUp = onOpen({ write, close })
      const finish = () => {
        cleanUp()
        try {
          controller.close()
        } catch {
          // The browser may have cancelled the stream.
        }
      }
      if (closeSignal.aborted) finish()
      else closeSignal.addEventListener('abort', finish)
    },
    cancel: close,
  })
  const headers = {
    ...NO_TRANSFORM_HEADERS,
    'content-type': 'text/event-stream; charset=utf-8',
    // nginx would otherwise hold events back in its buffer.
    'x-accel-buffering': 'no',
  }
  return new Response(stream, { headers })
}
