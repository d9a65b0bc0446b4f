import 'server-only'
import { randomInt } from 'node:crypto'
import type { ChangedEvent } from '@/lib/contract/live-event'
import { currentSession, type Viewer } from '@/server/access/viewer'
import { eventStream } from '@/server/http/event-stream'
import { services } from '@/server/services'

/** Spread a little, so that 500 streams do not all beat in the same millisecond. */
const HEARTBEAT_MS = 18_000
const SPREAD_MS = 4_000

/**
 * The live stream of one tab: at once the versions of every list, so that one who was away catches up, then each change.
 * An open stream counts as somebody looking. It ends when the session does.
 */
export async function streamEvents(viewer: Viewer, request: Request): Promise<Response> {
  const { feed, hub, viewers, logger } = services()
  // Next answers HEAD with GET and drops the body unread, which would leave a stream that nobody can end.
  if (request.method === 'HEAD') return new Response(null, { headers: { 'content-type': 'text/event-stream' } })
  const session = await currentSession()
  return eventStream(request.signal, (sender) => {
    const unsubscribe = hub.subscribe({ onEvent: (event) => sender.send('changed', event), onClose: sender.close })
    for (const event of currentVersions()) sender.send('changed', event)
    feed.look()
    const beat = async () => {
      const still = session && (await viewers.find(session).catch(() => viewer))
      if (!still) return sender.close()
      feed.look()
      // An event and no comment, so that the browser notices when a proxy swallows the stream.
      sender.send('beat', {})
    }
    const timer = setInterval(
      () => {
        beat().catch((err: unknown) => logger.warn({ err }, 'a live stream could not be kept'))
      },
      HEARTBEAT_MS + randomInt(SPREAD_MS),
    )
    return () => {
      clearInterval(timer)
      unsubscribe()
    }
  })
}

function currentVersions(): ChangedEvent[] {
  const { feed } = services()
  const versions = [
    { list: 'asked-questions', version: feed.askedQuestions().version },
    { list: 'declarations-of-interest', version: feed.declarations().version },
    { list: 'high-schools', version: feed.highSchools().version },
  ] as const
  return versions.filter(({ version }) => version > 0)
}
