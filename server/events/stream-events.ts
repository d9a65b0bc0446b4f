import 'server-only'
import { randomInt } from 'node:crypto'
import type { Viewers } from '@/server/access/session'
import type { Session } from '@/server/access/session-cookie'
import { type Allowed, reachOf } from '@/server/access/viewer'
import { NotReadyError } from '@/server/errors'
import { streamHeaders } from '@/server/http/json-lines'
import type { Logger } from '@/server/logger'
import type { Hub } from './announcer'
import { type News, type Newsroom, tellingOf, withWait } from './news'

type Parts = {
  feed: { markWatched: () => void }
  hub: Pick<Hub<News>, 'subscribe'>
  newsroom: Pick<Newsroom, 'beginning'>
  viewers: Viewers
  streamPlaces: StreamPlaces
  logger: Pick<Logger, 'warn'>
}

/** Spread a little, so that 500 heartbeats do not all fall in the same millisecond. */
const HEARTBEAT_MS = 18_000
const SPREAD_MS = 4_000

/** A thousand browsers ask over one second, three thousand over three: each has a millisecond of its own. */
const TURN_MS = 1
/** After a restart all of them begin at once, and most have to ask. */
const BEGINNING_SPREAD_MS = 1_000

/** When the instance ends it takes no connection any more: who comes back is let in by another, or by the next one. */
const BACK_LEAST_MS = 500
const BACK_SPREAD_MS = 2_000

/**
 * The live stream of one tab: at once how fresh every list is, which version it has and what it counts, so that one who was
 * away catches up, then each change. An open stream keeps the feed at full pace. It ends when what its user may see changes, and the
 * tab comes back to be authorised again; when the session ends; or when the user opens too many. NotReadyError when there is no place.
 */
export function streamEvents(
  { feed, hub, newsroom, viewers, streamPlaces, logger }: Parts,
  viewer: Allowed<'interest:read'>,
  _none: unknown,
  { session, request }: { session: Session; request: Request },
): Response {
  // Next answers HEAD with GET and drops the body unread, which would leave a stream that nobody can end.
  if (request.method === 'HEAD') return new Response(null, { headers: { 'content-type': 'text/event-stream' } })
  streamPlaces.requireRoom()
  return eventStream(request.signal, (sender) => {
    // The tab is told, or it would come back at once and end the next one.
    const leavePlace = streamPlaces.take(viewer.id, () => {
      sender.write('event: rest\ndata: {}\n\n')
      sender.close()
    })
    const tell = (news: News, waitMs: number) => {
      const text = tellingOf(news, viewer)
      if (text !== null) sender.write(withWait(text, waitMs))
    }
    /** What comes before the tab knows how everything is; null once it does. */
    let waiting: (() => void)[] | null = []
    const begin = async () => {
      for (const news of await newsroom.beginning()) tell(news, randomInt(BEGINNING_SPREAD_MS))
      for (const tellLate of waiting ?? []) tellLate()
      waiting = null
    }
    const unsubscribe = hub.subscribe({
      onEvent: (news, { place }) => {
        if (news.name === 'person' && news.userId === viewer.id) handOver(sender, 0)
        else if (waiting === null) tell(news, place * TURN_MS)
        else waiting.push(() => tell(news, place * TURN_MS))
      },
      onClose: () => handOver(sender, streamPlaces.open()),
    })
    feed.markWatched()
    begin().catch((err: unknown) => (logger.warn({ err }, 'a live stream could not begin'), sender.close()))
    // The message about a change may have been lost.
    const beat = async () => {
      const found = await viewers.find(session).catch(() => null)
      if (found === null) return sender.close()
      if (reachOf(found) !== reachOf(viewer)) return handOver(sender, 0)
      feed.markWatched()
      // An event and no comment, so that the browser notices when a proxy swallows the stream.
      sender.write('event: beat\ndata: {}\n\n')
    }
    const timer = setInterval(() => void beat(), HEARTBEAT_MS + randomInt(SPREAD_MS))
    return () => {
      leavePlace()
      clearInterval(timer)
      unsubscribe()
    }
  })
}

function handOver(sender: EventSender, open: number): void {
  const backInMs = BACK_LEAST_MS + randomInt(BACK_SPREAD_MS + TURN_MS * open)
  // The time also as every browser understands it, for a tab that was loaded from another release.
  sender.write(`retry: ${backInMs}\nevent: handover\ndata: {"backInMs":${backInMs}}\n\n`)
  sender.close()
}

type EventSender = {
  /** Whole events, as a stream has them. */
  write: (text: string) => void
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

export type StreamPlaces = ReturnType<typeof createStreamPlaces>

/** More tabs than anybody looks at. */
const MOST_PER_PERSON = 20
/** Each costs a few kilobytes, and a line of text at every change. */
const MOST = 10_000
const LEAST_WAIT_SECONDS = 5
const WAIT_SPREAD_SECONDS = 25

type Options = { mostPerPerson?: number; most?: number; random?: () => number }

/**
 * How many live streams are open on this instance. Of one person's, the oldest gives way to a new one: the tab that is being
 * looked at is live, and one of yesterday rests until it is looked at again. Beyond what an instance holds, the newest is
 * turned away. Another instance counts for itself.
 */
export function createStreamPlaces({
  mostPerPerson = MOST_PER_PERSON,
  most = MOST,
  random = Math.random,
}: Options = {}) {
  /** Of each person what ends their streams, the oldest first. */
  const people = new Map<string, Set<() => void>>()
  let open = 0
  return {
    /** NotReadyError, with a time to come back that differs from one to the next, when the instance has no place left. */
    requireRoom: (): void => {
      if (open < most) return
      throw new NotReadyError('Too many live streams', LEAST_WAIT_SECONDS + Math.floor(random() * WAIT_SPREAD_SECONDS))
    },
    /** Takes a place, and answers what gives it back; `giveWay` is called if the person needs it for another. */
    take: (userId: string, giveWay: () => void): (() => void) => {
      const own = people.get(userId) ?? new Set()
      people.set(userId, own)
      const [oldest] = own.size >= mostPerPerson ? own : []
      const place = () => giveWay()
      own.add(place)
      open += 1
      oldest?.()
      return () => {
        if (!own.delete(place)) return
        open -= 1
        if (own.size === 0 && people.get(userId) === own) people.delete(userId)
      }
    },
    open: (): number => open,
  }
}
