import { randomInt } from 'node:crypto'
import type { Session } from '@/server/access/session-cookie'
import { type Allowed, scopeKey, type Viewer } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import { formatEventFor, type HubEvent, setRequestDelay } from '@/server/leads/hub-events'
import { createEventStream, type EventSender } from './event-stream'

/** Browsers ask one after the other: the two requests for a new lead take 3 ms, and decisions are less urgent. */
const STAGGER_MS = { lead: 3, triage: 20 }
const MAX_STAGGER_MS = 5_000
const HEARTBEAT_MS = 18_000
const MAX_STREAMS_PER_USER = 20

/** The stream ends with its session, a change of access, or a newer stream that takes its slot. */
export function streamEvents(
  { feed, hub, hubPublisher, viewers, streamSlots }: Services,
  viewer: Allowed<'interest:read'>,
  _none: unknown,
  { session, request }: { session: Session; request: Request },
): Response {
  // For HEAD, Next calls this and drops the body, which would leave a stream that nothing ends.
  if (request.method === 'HEAD') return new Response(null, { headers: { 'content-type': 'text/event-stream' } })
  return createEventStream(request.signal, (sender) => {
    const releaseSlot = streamSlots.acquire(viewer.id, () => {
      // The event stops the tab from reconnecting, which would replace the next stream in turn.
      sender.write('event: rest\ndata: {}\n\n')
      sender.close()
    })
    let isViewerStale = false
    const send = (event: HubEvent, waitMs: number): boolean => {
      const formatted = isViewerStale ? null : formatEventFor(event, viewer)
      if (formatted !== null) sender.write(setRequestDelay(formatted.text, waitMs))
      return formatted?.triggersRequest ?? false
    }
    const currentViewer = () => viewers.find(session).catch(() => null)
    // Without a session the stream just closes, and the tab checks its session at once.
    const endStream = (found: Viewer | null) => (found === null ? sender.close() : sendHandover(sender, 0))
    for (const event of hubPublisher.createInitialEvents()) send(event, randomInt(1_000))
    const unsubscribe = hub.subscribe({
      onEvent: (event, actedBefore) => {
        const isChanged = event.name === 'person' && event.userId === viewer.id
        isViewerStale ||= isChanged
        if (isChanged) {
          void currentViewer().then(endStream)
          return false
        }
        const staggerMs = STAGGER_MS[event.name === 'triage' ? 'triage' : 'lead']
        return send(event, (actedBefore * staggerMs) % MAX_STAGGER_MS)
      },
      onClose: () => sendHandover(sender, streamSlots.countStreams()),
    })
    feed.markWatched()
    // Each heartbeat checks the viewer, because the event about a change may have been lost.
    const sendHeartbeat = async () => {
      const found = await currentViewer()
      if (found === null || scopeKey(found) !== scopeKey(viewer)) return endStream(found)
      feed.markWatched()
      // An event, not a comment, so that the browser notices a proxy that swallows the stream.
      sender.write('event: beat\ndata: {}\n\n')
    }
    const timer = setInterval(() => void sendHeartbeat(), HEARTBEAT_MS + randomInt(4_000))
    return () => {
      releaseSlot()
      clearInterval(timer)
      unsubscribe()
    }
  })
}

function sendHandover(sender: EventSender, openCount: number): void {
  // The browsers of an instance that stops reconnect at random moments, to another instance or to its successor.
  const backInMs = 500 + randomInt(2_000 + openCount)
  // `retry` is for tabs loaded from another release.
  sender.write(`retry: ${backInMs}\nevent: handover\ndata: {"backInMs":${backInMs}}\n\n`)
  sender.close()
}

/** Limits the streams of a user: a new one replaces the oldest. */
export function createStreamSlots() {
  const streamsByUser = new Map<string, Set<() => void>>()
  let openCount = 0
  return {
    /** Returns the slot's release. `onReplaced` is called when a newer stream takes the slot. */
    acquire: (userId: string, onReplaced: () => void): (() => void) => {
      const streamsOfUser = streamsByUser.get(userId) ?? new Set()
      streamsByUser.set(userId, streamsOfUser)
      const [oldest] = streamsOfUser.size >= MAX_STREAMS_PER_USER ? streamsOfUser : []
      // A new function is the stream's identity in the set.
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
