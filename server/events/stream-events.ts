import 'server-only'
import { randomInt } from 'node:crypto'
import type { Viewers } from '@/server/access/session'
import type { Session } from '@/server/access/session-cookie'
import { type Allowed, reachOf, type Viewer } from '@/server/access/viewer'
import { type EventSender, eventStream } from '@/server/http/streams'
import type { Logger } from '@/server/logger'
import type { Hub } from './announcer'
import { type News, type Newsroom, tellingOf, withWait } from './news'
import type { StreamPlaces } from './stream-places'

type Parts = {
  feed: { markWatched: () => void }
  hub: Pick<Hub<News>, 'subscribe'>
  newsroom: Pick<Newsroom, 'beginning' | 'otherwise'>
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

/** The instance ends: by then it takes no connection, and whoever comes back is let in by another, or by the next one. */
const BACK_LEAST_MS = 500
const BACK_SPREAD_MS = 2_000

/**
 * The live stream of one tab: at once how fresh every list is, which version it has and what it counts, so that one who was
 * away catches up, then each change. An open stream keeps the feed at full pace. It ends when the session does, or when the
 * person opens too many. NotReadyError when there is no place for it.
 */
export function streamEvents(
  { feed, hub, newsroom, viewers, streamPlaces, logger }: Parts,
  viewer: Allowed<'interest:read'>,
  session: Session,
  request: Request,
): Response {
  // Next answers HEAD with GET and drops the body unread, which would leave a stream that nobody can end.
  if (request.method === 'HEAD') return new Response(null, { headers: { 'content-type': 'text/event-stream' } })
  streamPlaces.requireRoom()
  return eventStream(request.signal, (sender) => {
    // The tab is told, or it would come back at once and put out the next one.
    const giveWay = () => {
      sender.write('event: rest\ndata: {}\n\n')
      sender.close()
    }
    const leavePlace = streamPlaces.take(viewer.id, giveWay)
    let current: Viewer = viewer
    const tell = (news: News, waitMs: number) => {
      const text = tellingOf(news, current)
      if (text !== null) sender.write(withWait(text, waitMs))
    }
    const tellAll = (all: readonly News[]) => all.forEach((news) => tell(news, randomInt(BEGINNING_SPREAD_MS)))
    // Without a valid session nothing more is sent.
    const confirm = async () => {
      const found = await viewers.find(session).catch(() => null)
      if (found === null) return sender.close()
      const isOther = reachOf(found) !== reachOf(current)
      current = found
      if (isOther) tellAll(await newsroom.otherwise())
    }
    const inOrder = createOrder((err) => logger.warn({ err }, 'a live stream could not be kept'))
    const unsubscribe = hub.subscribe({
      onEvent: (news, { place }) => {
        if (news.name === 'person' && news.userId === viewer.id) inOrder(confirm)
        // After the check, so that nothing is filtered by what the person might see before.
        else inOrder(() => tell(news, place * TURN_MS))
      },
      onClose: () => handOver(sender, streamPlaces.open()),
    })
    feed.markWatched()
    inOrder(async () => tellAll(await newsroom.beginning()))
    const heartbeat = async () => {
      await confirm()
      feed.markWatched()
      // An event and no comment, so that the browser notices when a proxy swallows the stream.
      sender.write('event: beat\ndata: {}\n\n')
    }
    const timer = setInterval(() => inOrder(heartbeat), HEARTBEAT_MS + randomInt(SPREAD_MS))
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

/** Does one thing after the other: at once, unless something is still under way. */
function createOrder(onFailed: (error: unknown) => void): (work: () => Promise<void> | void) => void {
  let busy: Promise<void> | null = null
  return (work) => {
    const done = busy === null ? work() : busy.then(work)
    if (!(done instanceof Promise)) return
    const own = done.catch(onFailed).finally(() => {
      if (busy === own) busy = null
    })
    busy = own
  }
}
