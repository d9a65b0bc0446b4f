import 'server-only'
import { randomInt } from 'node:crypto'
import type { ChangedEvent } from '@/lib/contract/live-event'
import { currentSession, type Viewer } from '@/server/access/viewer'
import { eventStream } from '@/server/http/event-stream'
import { services } from '@/server/services'
import type { HubEvent } from './desk-event'
import { toldTo } from './told-to'

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
    let listener = viewer
    const tell = (event: HubEvent) => {
      const told = toldTo(listener, event)
      if (told) sender.send(told.name, told.data)
    }
    // Whoever cannot be confirmed any more is told nothing more.
    const lookAgain = async () => {
      const still = session && (await viewers.find(session).catch(() => null))
      if (still) listener = still
      else sender.close()
      return still !== null
    }
    let looking: Promise<unknown> = Promise.resolve()
    const onEvent = (event: HubEvent) => {
      if (event.name === 'person' && event.userId === viewer.id) looking = lookAgain()
      // In turn, so that nothing told after a change is told by what held before it.
      else looking = looking.then(() => tell(event))
    }
    const unsubscribe = hub.subscribe({ onEvent, onClose: sender.close })
    for (const event of currentVersions()) sender.send('changed', event)
    feed.look()
    const beat = async () => {
      if (!(await lookAgain())) return
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
