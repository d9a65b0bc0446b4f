import type { Status } from '@/lib/contract/feed-status'
import type { LeadList } from '@/lib/contract/lead'
import { FEED_LISTS, type FeedList, LEAD_LISTS } from '@/lib/contract/lists'
import type { ChangedEvent, TriageEvent } from '@/lib/contract/live-event'
import { may, maySeeSchool, toScopeKey, type Viewer } from '@/server/access/viewer'
import type { DeskEvent, TriageChange } from '@/server/base/announcer'
import type { ChangedLeads } from '@/server/feed/list-state'
import { restrictStatus } from './feed-status'

export type HubEvent = HubFetchedEvent | HubTriageEvent | Extract<DeskEvent, { name: 'lead' | 'person' }>

type FetchedList = { list: FeedList; isNew: boolean; changedLeads: ChangedLeads | null }
export type HubFetchedEvent = FetchedList & { name: 'fetched'; version: number; status: Status | null }
/** `changes` is null when it is not known what changed. */
type HubTriageEvent = { name: 'triage'; list: LeadList; changes: readonly TriageChange[] | null }

/** Publishes fetches and decisions to every stream, in order. `readStatus` must not count as watching the feed. */
export function createHubPublisher(publish: (event: HubEvent) => void, readStatus: () => Status) {
  const createFetchedEvent = (fetched: FetchedList) => {
    const status = readStatus()
    return { name: 'fetched' as const, ...fetched, version: status.lists[fetched.list]?.version ?? 0, status }
  }
  const publishStaleLists = () => LEAD_LISTS.forEach((list) => publish({ name: 'triage', list, changes: null }))
  return {
    publishDeskEvent: (event: DeskEvent) => {
      if (event.name === 'protections' || event.name === 'work') publishStaleLists()
      else publish(event)
    },
    publishFetched: (fetched: FetchedList) => publish(createFetchedEvent(fetched)),
    publishStaleLists,
    /** A new stream begins with one status for all lists. The other events make the browser fetch each ready list. */
    createInitialEvents: (): HubEvent[] => {
      const statusEvent = createFetchedEvent({ list: 'high-schools', isNew: false, changedLeads: null })
      const readyLists = FEED_LISTS.filter((list) => statusEvent.status.lists[list] !== null)
      const events = readyLists.map((list) => createFetchedEvent({ list, isNew: true, changedLeads: null }))
      return [statusEvent, ...events.map((event) => ({ ...event, status: null }))]
    },
  }
}

/** `triggersRequest` says that browsers send a request on the event; these requests are spread over time. */
type FormattedEvent = { text: string; triggersRequest: boolean }

/** Formats an event for a viewer; null if it is not for them. Viewers with the same scope share the text. */
export function formatEventFor(event: HubEvent, viewer: Viewer): FormattedEvent | null {
  const byScope = formattedEvents.get(event) ?? new Map<string, FormattedEvent | null>()
  formattedEvents.set(event, byScope)
  const scope = toScopeKey(viewer)
  if (!byScope.has(scope)) byScope.set(scope, formatEvent(event, viewer))
  return byScope.get(scope) ?? null
}

const formattedEvents = new WeakMap<HubEvent, Map<string, FormattedEvent | null>>()

const UNSET_DELAY_MS = -1
const DELAY_FIELD = `"askInMs":${UNSET_DELAY_MS}`

/** Writes a browser's own delay into a text that viewers share. */
export function setRequestDelay(text: string, delayMs: number): string {
  return text.replace(DELAY_FIELD, `"askInMs":${delayMs}`)
}

function formatEvent(event: HubEvent, viewer: Viewer): FormattedEvent | null {
  const mayRead = may(viewer, 'leads:read')
  if (event.name === 'fetched') {
    const { list, version, isNew, changedLeads, status } = event
    const statusText = status === null ? '' : formatSseEvent('status', restrictStatus(viewer, status))
    // Managers get no `changed` event for leads: they could add up how many came. Their screens fetch counts anyway.
    if (!isNew || (!mayRead && list !== 'high-schools')) return { text: statusText, triggersRequest: false }
    const yours = changedLeads === null || [...changedLeads.schools].some((school) => maySeeSchool(viewer, school))
    const changed: ChangedEvent = { list, version, yours, askInMs: UNSET_DELAY_MS }
    return { text: statusText + formatSseEvent('changed', changed), triggersRequest: yours }
  }
  if (!mayRead || event.name === 'person') return null
  if (event.name === 'lead' && !maySeeSchool(viewer, event.school)) return null
  if (event.name === 'lead') return { text: formatSseEvent('lead', event.lead), triggersRequest: false }
  const changes = event.changes?.filter(({ schools }) => schools.some((school) => maySeeSchool(viewer, school))) ?? null
  if (changes?.length === 0) return null
  // A single author is named, because the author's own browsers need not ask.
  const [author = '', ...otherAuthors] = new Set(changes?.map(({ userId }) => userId))
  const by = otherAuthors.length === 0 ? author : ''
  const triageEvent: TriageEvent = { list: event.list, by, askInMs: UNSET_DELAY_MS }
  return { text: formatSseEvent('triage', triageEvent), triggersRequest: true }
}

/** Formats one server-sent event (WHATWG HTML, section 9.2). */
function formatSseEvent(name: string, data: unknown) {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
