import 'server-only'
import type { Services } from '@/server/base/services'
import { randomInt } from 'node:crypto'
import type { Session } from '@/server/access/session-cookie'
import { type Allowed, scopeKey, type Viewer } from '@/server/access/viewer'
import { NotReadyError } from '@/server/base/errors'
import { streamHeaders } from './responses'
import { type News, eventTextFor, withWait } from '@/server/leads/news'

/** About as long as the two requests with which a page shows a new lead. What a colleague decided is less urgent. */
const STAGGER_MS = 3
const DECISION_STAGGER_MS = 20
const MAX_STAGGER_MS = 5_000

/** One browser's stream. Ends with the session, with a change of access (the browser re-authenticates), or for a newer one. */
export function streamEvents(
  { feed, hub, newsroom, viewers, streamPlaces }: Services,
  viewer: Allowed<'interest:read'>,
  _none: unknown,
  { session, request }: { session: Session; request: Request },
): Response {
  // Next answers HEAD with GET and drops the body, which would leave a stream that nobody can end.
  if (request.method === 'HEAD') return new Response(null, { headers: { 'content-type': 'text/event-stream' } })
  streamPlaces.requireRoom()
  return eventStream(request.signal, (sender) => {
    const leavePlace = streamPlaces.acquire(viewer.id, () => {
      // Without the event the tab would reconnect at once and end the next one.
      sender.write('event: rest\ndata: {}\n\n')
      sender.close()
    })
    let isDoubtful = false
    const send = (news: News, waitMs: number): boolean => {
      const written = isDoubtful ? null : eventTextFor(news, viewer)
      if (written !== null) sender.write(withWait(written.text, waitMs))
      return written?.isAsked ?? false
    }
    const currentViewer = () => viewers.find(session).catch(() => null)
    /** A tab whose session has ended asks at once whether it may stay; after a handover it asks only when it is back. */
    const endFor = (found: Viewer | null) => (found === null ? sender.close() : sendHandover(sender, 0))
    for (const news of newsroom.beginning()) send(news, randomInt(1_000))
    const unsubscribe = hub.subscribe({
      onEvent: (news, place) => {
        const isChanged = news.name === 'person' && news.userId === viewer.id
        isDoubtful ||= isChanged
        if (isChanged) {
          void currentViewer().then(endFor)
          return false
        }
        const staggerMs = news.name === 'triage' ? DECISION_STAGGER_MS : STAGGER_MS
        return send(news, (place * staggerMs) % MAX_STAGGER_MS)
      },
      onClose: () => sendHandover(sender, streamPlaces.open()),
    })
    feed.markWatched()
    // The event about a change may have been lost.
    const sendHeartbeat = async () => {
      const found = await currentViewer()
      if (found === null || scopeKey(found) !== scopeKey(viewer)) return endFor(found)
      feed.markWatched()
      // An event, not a comment, so that the browser notices a proxy that swallows the stream.
      sender.write('event: beat\ndata: {}\n\n')
    }
    const timer = setInterval(() => void sendHeartbeat(), 18_000 + randomInt(4_000))
    return () => {
      leavePlace()
      clearInterval(timer)
      unsubscribe()
    }
  })
}

function sendHandover(sender: EventSender, open: number): void {
  // Clients of an instance that ends come back to another one, or to the next.
  const backInMs = 500 + randomInt(2_000 + open)
  // `retry` is for tabs loaded from another release.
  sender.write(`retry: ${backInMs}\nevent: handover\ndata: {"backInMs":${backInMs}}\n\n`)
  sender.close()
}

type EventSender = { write: (text: string) => void; close: () => void }

/** Server-sent events (WHATWG HTML, section 9.2). `open` answers what cleans up, called once. */
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
        // A reader this far behind is gone or stuck; it can reconnect.
        if ((controller.desiredSize ?? 0) < -100) end()
      }
      end = () => {
        if (ended) return
        ended = true
        cleanUp()
        try {
          controller.close()
        } catch {}
      }
      write('retry: 3000\n\n')
      cleanUp = open({ write, close: () => end() })
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

export type StreamPlaces = ReturnType<typeof createStreamPlaces>

/** A person's oldest stream makes room for a new one; beyond `max` the newest is refused. */
export function createStreamPlaces({ maxPerUser = 20, max = 10_000, random = Math.random } = {}) {
  const people = new Map<string, Set<() => void>>()
  let open = 0
  return {
    requireRoom: (): void => {
      if (open < max) return
      throw new NotReadyError('Too many live streams', 5 + Math.floor(random() * 25))
    },
    /** Answers what frees the place; `onReplaced` is called when a newer stream needs it. */
    acquire: (userId: string, onReplaced: () => void): (() => void) => {
      const streamsOfUser = people.get(userId) ?? new Set()
      people.set(userId, streamsOfUser)
      const [oldest] = streamsOfUser.size >= maxPerUser ? streamsOfUser : []
      const place = () => onReplaced()
      streamsOfUser.add(place)
      open += 1
      oldest?.()
      return () => {
        if (!streamsOfUser.delete(place)) return
        open -= 1
        if (streamsOfUser.size === 0 && people.get(userId) === streamsOfUser) people.delete(userId)
      }
    },
    open: (): number => open,
  }
}
