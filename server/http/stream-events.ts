import 'server-only'
import type { Services } from '@/server/base/services'
import { randomInt } from 'node:crypto'
import type { Session } from '@/server/access/session-cookie'
import { type Allowed, scopeKey, type Viewer } from '@/server/access/viewer'
import { noTransformHeaders } from '@/server/base/private-headers'
import { type HubEvent, formatEventFor, setRequestDelay } from '@/server/leads/hub-events'

/** One browser's stream. Ends with the session, with a change of access (the browser re-authenticates), or for a newer one. */
export function streamEvents(
  { feed, hub, hubPublisher, viewers, streamSlots: streamPlaces }: Services,
  viewer: Allowed<'interest:read'>,
  _none: unknown,
  { session, request }: { session: Session; request: Request },
): Response {
  // Next answers HEAD with GET and drops the body, which would leave a stream that nobody can end.
  if (request.method === 'HEAD') return new Response(null, { headers: { 'content-type': 'text/event-stream' } })
  return createEventStream(request.signal, (sender) => {
    const releaseSlot = streamPlaces.acquire(viewer.id, () => {
      // Without the event the tab would reconnect at once and end the next one.
      sender.write('event: rest\ndata: {}\n\n')
      sender.close()
    })
    let isViewerStale = false
    const send = (news: HubEvent, waitMs: number): boolean => {
      const written = isViewerStale ? null : formatEventFor(news, viewer)
      if (written !== null) sender.write(setRequestDelay(written.text, waitMs))
      return written?.triggersRequest ?? false
    }
    const currentViewer = () => viewers.find(session).catch(() => null)
    /** A tab whose session has ended asks at once whether it may stay; after a handover it asks only when it is back. */
    const endStream = (found: Viewer | null) => (found === null ? sender.close() : sendHandover(sender, 0))
    for (const news of hubPublisher.createInitialEvents()) send(news, randomInt(1_000))
    const unsubscribe = hub.subscribe({
      onEvent: (news, actedBefore) => {
        const isChanged = news.name === 'person' && news.userId === viewer.id
        isViewerStale ||= isChanged
        if (isChanged) {
          void currentViewer().then(endStream)
          return false
        }
        // As long as the two requests with which a page shows a new lead. What a colleague decided is less urgent.
        const staggerMs = news.name === 'triage' ? 20 : 3
        return send(news, (actedBefore * staggerMs) % 5_000)
      },
      onClose: () => sendHandover(sender, streamPlaces.countStreams()),
    })
    feed.markWatched()
    // The event about a change may have been lost.
    const sendHeartbeat = async () => {
      const found = await currentViewer()
      if (found === null || scopeKey(found) !== scopeKey(viewer)) return endStream(found)
      feed.markWatched()
      // An event, not a comment, so that the browser notices a proxy that swallows the stream.
      sender.write('event: beat\ndata: {}\n\n')
    }
    const timer = setInterval(() => void sendHeartbeat(), 18_000 + randomInt(4_000))
    return () => {
      releaseSlot()
      clearInterval(timer)
      unsubscribe()
    }
  })
}

function sendHandover(sender: EventSender, openCount: number): void {
  // Clients of an instance that ends come back to another one, or to the next.
  const backInMs = 500 + randomInt(2_000 + openCount)
  // `retry` is for tabs loaded from another release.
  sender.write(`retry: ${backInMs}\nevent: handover\ndata: {"backInMs":${backInMs}}\n\n`)
  sender.close()
}

type EventSender = { write: (text: string) => void; close: () => void }

/** Server-sent events (WHATWG HTML, section 9.2). `open` answers what cleans up, called once. */
export function createEventStream(signal: AbortSignal, onOpen: (sender: EventSender) => () => void): Response {
  const encoder = new TextEncoder()
  const ending = new AbortController()
  const close = () => ending.abort()
  const onAbort = (aborted: AbortSignal, run: () => void) => {
    if (aborted.aborted) run()
    else aborted.addEventListener('abort', run, { once: true })
  }
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        if (ending.signal.aborted) return
        controller.enqueue(encoder.encode(text))
        // A reader this far behind is gone or stuck; it can reconnect.
        if ((controller.desiredSize ?? 0) < -100) close()
      }
      write('retry: 3000\n\n')
      const cleanUp = onOpen({ write, close })
      onAbort(ending.signal, () => {
        cleanUp()
        try {
          controller.close()
        } catch {}
      })
      onAbort(signal, close)
    },
    cancel: close,
  })
  // A stream must not wait in the buffer of nginx either.
  const headers = { ...noTransformHeaders, 'x-accel-buffering': 'no' }
  return new Response(stream, { headers: { ...headers, 'content-type': 'text/event-stream; charset=utf-8' } })
}

/** A user's oldest stream makes room for a new one. */
export function createStreamSlots(maxPerUser = 20) {
  const streamsByUser = new Map<string, Set<() => void>>()
  let openCount = 0
  return {
    /** Answers what frees the place; `onReplaced` is called when a newer stream needs it. */
    acquire: (userId: string, onReplaced: () => void): (() => void) => {
      const streamsOfUser = streamsByUser.get(userId) ?? new Set()
      streamsByUser.set(userId, streamsOfUser)
      const [oldest] = streamsOfUser.size >= maxPerUser ? streamsOfUser : []
      const closeStream = () => onReplaced()
      streamsOfUser.add(closeStream)
      openCount += 1
      oldest?.()
      return () => {
        if (!streamsOfUser.delete(closeStream)) return
        openCount -= 1
        if (streamsOfUser.size === 0 && streamsByUser.get(userId) === streamsOfUser) streamsByUser.delete(userId)
      }
    },
    countStreams: (): number => openCount,
  }
}
