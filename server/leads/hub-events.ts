import 'server-only'
import type { Status } from '@/lib/contract/feed-status'
import type { LeadList } from '@/lib/contract/lead'
import { type FeedList, LEAD_LISTS } from '@/lib/contract/lists'
import type { ChangedEvent, TriageEvent } from '@/lib/contract/live-event'
import { may, maySeeSchool, scopeKey, type Viewer } from '@/server/access/viewer'
import type { ChangedLeads } from '@/server/feed/list-state'
import { restrictStatus } from '@/server/leads/feed-status'
import type { DeskEvent, TriageChange } from '@/server/base/announcer'
import type { Hub } from '@/server/base/hub'

export type HubEvent =
  | HubFetchedEvent
  | HubTriageEvent
  | Exclude<DeskEvent, { name: 'triage' | 'protections' | 'work' }>

export type HubFetchedEvent = {
  name: 'fetched'
  list: FeedList
  version: number
  isNew: boolean
  changedLeads: ChangedLeads | null
  status: Status | null
}
export type HubTriageEvent = {
  name: 'triage'
  list: LeadList
  /** Null when it is not known what changed. */
  changes: readonly TriageChange[] | null
}

/** Publishes fetches and decisions to every stream, in order. It does not mark the feed as watched: announcing is not looking. */
export function createHubPublisher(
  feed: Record<'askedQuestions' | 'declarations' | 'highSchools', () => { version: number }>,
  hub: Pick<Hub<HubEvent>, 'publish'>,
  status: () => Status,
) {
  const states: Record<FeedList, () => { version: number }> = {
    'asked-questions': feed.askedQuestions,
    'declarations-of-interest': feed.declarations,
    'high-schools': feed.highSchools,
  }
  const fetchedNow = (list: FeedList, isNew: boolean, touched: ChangedLeads | null): HubFetchedEvent => {
    return { name: 'fetched', list, version: states[list]().version, isNew, changedLeads: touched, status: status() }
  }
  const triaged = (list: LeadList, changes: HubTriageEvent['changes']) => hub.publish({ name: 'triage', list, changes })
  /** As if everything had just been decided: events may have been lost. */
  const publishAllStale = (): void => LEAD_LISTS.forEach((list) => triaged(list, null))
  return {
    publishDeskEvent: (event: DeskEvent): void => {
      if (event.name === 'triage') triaged(event.list, event.changes)
      else if (event.name === 'protections' || event.name === 'work') publishAllStale()
      else hub.publish(event)
    },
    publishFetched: (list: FeedList, isNew: boolean, touched: ChangedLeads | null): void =>
      hub.publish(fetchedNow(list, isNew, touched)),
    publishAllStale: publishAllStale,
    createInitialEvents: (): HubFetchedEvent[] => {
      const known = ([...LEAD_LISTS, 'high-schools'] as const).filter((list) => states[list]().version > 0)
      if (known.length === 0) return [fetchedNow('asked-questions', false, null)]
      const news = known.map((list) => fetchedNow(list, true, null))
      return news.map((one, place) => (place === 0 ? one : { ...one, status: null }))
    },
  }
}

/** `isAsked`: the browser asks the server for what the event is about. */
type FormattedEvent = { text: string; triggersRequest: boolean }

/** One person's lines, null when out of scope; written once for all who see the same. */
export function formatEventFor(news: HubEvent, viewer: Viewer): FormattedEvent | null {
  const texts = textsByScope.get(news) ?? new Map<string, FormattedEvent | null>()
  textsByScope.set(news, texts)
  const scope = scopeKey(viewer)
  if (!texts.has(scope)) texts.set(scope, formatEvent(news, viewer))
  return texts.get(scope) ?? null
}

const textsByScope = new WeakMap<HubEvent, Map<string, FormattedEvent | null>>()

const NO_WAIT = -1
const WAIT = `"askInMs":${NO_WAIT}`

export function setRequestDelay(text: string, waitMs: number): string {
  return text.replace(WAIT, `"askInMs":${waitMs}`)
}

function formatEvent(news: HubEvent, viewer: Viewer): FormattedEvent | null {
  const mayRead = may(viewer, 'leads:read')
  if (news.name === 'fetched') {
    const { list, version, isNew, changedLeads: touched, status } = news
    const freshness = status === null ? '' : formatSseEvent('status', restrictStatus(viewer, status))
    // Managers could add up how many leads came. Their tabs show no list and ask for counts themselves.
    if (!isNew || (!mayRead && list !== 'high-schools')) return { text: freshness, triggersRequest: false }
    const yours = touched === null || [...touched.schools].some((school) => maySeeSchool(viewer, school))
    const changed: ChangedEvent = { list, version, yours, askInMs: NO_WAIT }
    return { text: freshness + formatSseEvent('changed', changed), triggersRequest: yours }
  }
  if (!mayRead || news.name === 'person') return null
  if (news.name === 'lead')
    return maySeeSchool(viewer, news.school)
      ? { text: formatSseEvent('lead', news.lead), triggersRequest: false }
      : null
  const changes = news.changes?.filter(({ schools }) => schools.some((school) => maySeeSchool(viewer, school))) ?? null
  if (changes?.length === 0) return null
  const authors = new Set(changes?.map(({ userId: by }) => by))
  const by = authors.size === 1 ? [...authors].join('') : ''
  const event: TriageEvent = { list: news.list, by, askInMs: NO_WAIT }
  return { text: formatSseEvent('triage', event), triggersRequest: true }
}

/** WHATWG HTML, section 9.2. */
function formatSseEvent(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
