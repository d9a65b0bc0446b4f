import { randomInt } from 'node:crypto'
import type { Session } from '@/server/access/session-cookie'
import { type Allowed, toScopeKey, type Viewer } from '@/server/access/viewer'
import { NO_TRANSFORM_HEADERS } from '@/server/base/private-headers'
import type { Services } from '@/server/base/services'
import { formatEventFor, type HubEvent, setRequestDelay } from '@/server/leads/hub-events'

/** Browsers request in turn, this far apart: the requests for a new lead take 3 ms, and decisions are less urgent. */
const NEW_LEAD_STAGGER_MS = 3
const DECISION_STAGGER_MS = 20
const MAX_STAGGER_MS = 5_000
const HEARTBEAT_MS = 18_000

/** The stream ends with its session or a change of access. */
export function streamEvents(
  { feed, hub, hubPublisher, viewers }: Services,
  viewer: Allowed<'interest:read'>,
  _input: unknown,
  { session, request }: { session: Session; request: Request },
): Response {
  // A HEAD request gets no stream: Next drops the body, so nothing would end it.
  if (request.method === 'HEAD') return new Response(null, { headers: { 'content-type': 'text/event-stream' } })
  return createEventStream(request.signal, (sender) => {
    let isViewerStale = false
    const send = (event: HubEvent, waitMs: number): boolean => {
      const message = isViewerStale ? null : formatEventFor(event, viewer)
      if (message !== null) sender.write(setRequestDelay(message.text, waitMs))
      return message?.triggersRequest ?? false
    }
    const findViewer = () => viewers.find(session).catch(() => null)
    // Without a session the stream just closes, and the tab checks its session at once.
    const endStream = (current: Viewer | null) => (current === null ? sender.close() : sendHandover(sender, 0))
    for (const event of hubPublisher.createInitialEvents()) send(event, randomInt(1_000))
    const unsubscribe = hub.subscribe({
      onEvent: (event, actedBefore) => {
        if (event.name === 'person' && event.userId === viewer.id) {
          isViewerStale = true
          void findViewer().then(endStream)
          return false
        }
        const staggerMs = event.name === 'triage' ? DECISION_STAGGER_MS : NEW_LEAD_STAGGER_MS
        return send(event, (actedBefore * staggerMs) % MAX_STAGGER_MS)
      },
      onClose: () => sendHandover(sender, hub.size()),
    })
    feed.markWatched()
    // Each heartbeat checks the viewer, because the event about a change may have been lost.
    const sendHeartbeat = async () => {
      const currentViewer = await findViewer()
      if (currentViewer === null || toScopeKey(currentViewer) !== toScopeKey(viewer)) return endStream(currentViewer)
      feed.markWatched()
      // The heartbeat is an event, not a comment, so that the tab notices if a proxy swallows the stream.
      sender.write('event: beat\ndata: {}\n\n')
    }
    const timer = setInterval(() => void sendHeartbeat(), HEARTBEAT_MS + randomInt(4_000))
    return () => {
      clearInterval(timer)
      unsubscribe()
    }
  })
}

/** Ends a stream so that its tab reconnects at a random moment, within a time that grows with the open streams. */
function sendHandover(sender: EventSender, openCount: number): void {
  const backInMs = 500 + randomInt(2_000 + openCount)
  sender.write(`event: handover\ndata: {"backInMs":${backInMs}}\n\n`)
  sender.close()
}

type EventSender = { write: (text: string) => void; close: () => void }

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
  // Without `x-accel-buffering` nginx would hold events back.
  const bufferHeaders = { ...NO_TRANSFORM_HEADERS, 'x-accel-buffering': 'no' }
  return new Response(stream, { headers: { ...bufferHeaders, 'content-type': 'text/event-stream; charset=utf-8' } })
}
