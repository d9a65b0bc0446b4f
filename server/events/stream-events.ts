import 'server-only'
import { randomInt } from 'node:crypto'
import type { ChangedEvent, LeadEvent, TriageEvent } from '@/lib/contract/live-event'
import type { Session, Viewers } from '@/server/access/session'
import { type Allowed, may, maySee, type Viewer } from '@/server/access/viewer'
import { eventStream } from '@/server/http/streams'
import type { Logger } from '@/server/logger'
import type { Hub, HubEvent, TriageChange } from './announcer'

type Versioned = () => { version: number }
type Parts = {
  feed: { markWatched: () => void; askedQuestions: Versioned; declarations: Versioned; highSchools: Versioned }
  hub: Pick<Hub<HubEvent>, 'subscribe'>
  viewers: Viewers
  logger: Pick<Logger, 'warn'>
}

/** Spread a little, so that 500 heartbeats do not all fall in the same millisecond. */
const HEARTBEAT_MS = 18_000
const SPREAD_MS = 4_000

/**
 * The live stream of one tab: at once the versions of every list, so that one who was away catches up, then each change.
 * An open stream keeps the feed at full pace. It ends when the session does.
 */
export function streamEvents(
  { feed, hub, viewers, logger }: Parts,
  viewer: Allowed<'interest:read'>,
  session: Session,
  request: Request,
): Response {
  // Next answers HEAD with GET and drops the body unread, which would leave a stream that nobody can end.
  if (request.method === 'HEAD') return new Response(null, { headers: { 'content-type': 'text/event-stream' } })
  return eventStream(request.signal, (sender) => {
    let current: Viewer = viewer
    const send = (event: HubEvent) => {
      const own = eventFor(current, event)
      if (own) sender.send(own.name, own.data)
    }
    // Without a valid session nothing more is sent.
    const confirm = async () => {
      const found = await viewers.find(session).catch(() => null)
      if (found) current = found
      else sender.close()
      return found !== null
    }
    let confirming: Promise<unknown> = Promise.resolve()
    const onEvent = (event: HubEvent) => {
      if (event.name === 'person' && event.userId === viewer.id) confirming = confirm()
      // After the check, so that no event is filtered by what the person might see before.
      else confirming = confirming.then(() => send(event))
    }
    const unsubscribe = hub.subscribe({ onEvent, onClose: sender.close })
    for (const event of currentVersions(feed)) sender.send('changed', event)
    feed.markWatched()
    const heartbeat = async () => {
      if (!(await confirm())) return
      feed.markWatched()
      // An event and no comment, so that the browser notices when a proxy swallows the stream.
      sender.send('beat', {})
    }
    const timer = setInterval(
      () => {
        heartbeat().catch((err: unknown) => logger.warn({ err }, 'a live stream could not be kept'))
      },
      HEARTBEAT_MS + randomInt(SPREAD_MS),
    )
    return () => {
      clearInterval(timer)
      unsubscribe()
    }
  })
}

function currentVersions({ askedQuestions, declarations, highSchools }: Parts['feed']): ChangedEvent[] {
  const versions = [
    { list: 'asked-questions', version: askedQuestions().version },
    { list: 'declarations-of-interest', version: declarations().version },
    { list: 'high-schools', version: highSchools().version },
  ] as const
  return versions.filter(({ version }) => version > 0)
}

type StreamedEvent =
  | { name: 'changed'; data: ChangedEvent }
  | { name: 'triage'; data: TriageEvent }
  | { name: 'lead'; data: LeadEvent }

/** What of an event this person receives; null when it is about schools or leads out of reach. */
export function eventFor(viewer: Viewer, event: HubEvent): StreamedEvent | null {
  if (event.name === 'changed') return { name: 'changed', data: event.change }
  if (!may(viewer, 'leads:read')) return null
  switch (event.name) {
    case 'triage': {
      const changes = event.changes.filter(({ schools }) => schools.some((school) => maySee(viewer, school)))
      return changes.length === 0 ? null : { name: 'triage', data: { list: event.list, by: soleAuthor(changes) } }
    }
    case 'lead':
      return maySee(viewer, event.school) ? { name: 'lead', data: event.lead } : null
    case 'person':
      return null
    default:
      return event satisfies never
  }
}

/** Whose changes these are; empty when several people made them. */
function soleAuthor([first, ...others]: TriageChange[]): string {
  return first && others.every(({ by }) => by === first.by) ? first.by : ''
}
