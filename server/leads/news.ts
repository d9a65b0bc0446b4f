import 'server-only'
import type { Status } from '@/lib/contract/feed-status'
import type { LeadList } from '@/lib/contract/lead'
import { type FeedList, LEAD_LISTS } from '@/lib/contract/lists'
import type { ChangedEvent, TriageEvent } from '@/lib/contract/live-event'
import { may, maySeeSchool, scopeKey, type Viewer } from '@/server/access/viewer'
import type { ChangedLeads } from '@/server/feed/list-state'
import { statusFor } from '@/server/leads/feed-status'
import type { DeskEvent, Hub, TriageChange } from '@/server/base/announcer'

export type News = FetchedNews | TriageNews | Exclude<DeskEvent, { name: 'triage' | 'protections' | 'work' }>

export type FetchedNews = {
  name: 'fetched'
  list: FeedList
  version: number
  isNew: boolean
  touched: ChangedLeads | null
  status: Status | null
}
export type TriageNews = {
  name: 'triage'
  list: LeadList
  /** Null when it is not known what changed. */
  changes: readonly TriageChange[] | null
}

/** Publishes fetches and decisions to every stream, in order. It does not mark the feed as watched: announcing is not looking. */
export function createNewsroom(
  feed: Record<'askedQuestions' | 'declarations' | 'highSchools', () => { version: number }>,
  hub: Pick<Hub<News>, 'publish'>,
  status: () => Status,
) {
  const states: Record<FeedList, () => { version: number }> = {
    'asked-questions': feed.askedQuestions,
    'declarations-of-interest': feed.declarations,
    'high-schools': feed.highSchools,
  }
  const fetchedNow = (list: FeedList, isNew: boolean, touched: ChangedLeads | null): FetchedNews => {
    return { name: 'fetched', list, version: states[list]().version, isNew, touched, status: status() }
  }
  const triaged = (list: LeadList, changes: TriageNews['changes']) => hub.publish({ name: 'triage', list, changes })
  /** As if everything had just been decided: events may have been lost. */
  const missed = (): void => LEAD_LISTS.forEach((list) => triaged(list, null))
  return {
    desk: (event: DeskEvent): void => {
      if (event.name === 'triage') triaged(event.list, event.changes)
      else if (event.name === 'protections' || event.name === 'work') missed()
      else hub.publish(event)
    },
    fetched: (list: FeedList, isNew: boolean, touched: ChangedLeads | null): void =>
      hub.publish(fetchedNow(list, isNew, touched)),
    missed,
    beginning: (): FetchedNews[] => {
      const known = ([...LEAD_LISTS, 'high-schools'] as const).filter((list) => states[list]().version > 0)
      if (known.length === 0) return [fetchedNow('asked-questions', false, null)]
      const news = known.map((list) => fetchedNow(list, true, null))
      return news.map((one, place) => (place === 0 ? one : { ...one, status: null }))
    },
  }
}

/** `isAsked`: the browser asks the server for what the event is about. */
type EventText = { text: string; isAsked: boolean }

/** One person's lines, null when out of scope; written once for all who see the same. */
export function eventTextFor(news: News, viewer: Viewer): EventText | null {
  const texts = textsByScope.get(news) ?? new Map<string, EventText | null>()
  textsByScope.set(news, texts)
  const scope = scopeKey(viewer)
  if (!texts.has(scope)) texts.set(scope, write(news, viewer))
  return texts.get(scope) ?? null
}

const textsByScope = new WeakMap<News, Map<string, EventText | null>>()

const NO_WAIT = -1
const WAIT = `"askInMs":${NO_WAIT}`

export function withWait(text: string, waitMs: number): string {
  return text.replace(WAIT, `"askInMs":${waitMs}`)
}

function write(news: News, viewer: Viewer): EventText | null {
  const mayRead = may(viewer, 'leads:read')
  if (news.name === 'fetched') {
    const { list, version, isNew, touched, status } = news
    const freshness = status === null ? '' : eventText('status', statusFor(viewer, status))
    // Managers could add up how many leads came. Their tabs show no list and ask for counts themselves.
    if (!isNew || (!mayRead && list !== 'high-schools')) return { text: freshness, isAsked: false }
    const yours = touched === null || [...touched.schools].some((school) => maySeeSchool(viewer, school))
    const changed: ChangedEvent = { list, version, yours, askInMs: NO_WAIT }
    return { text: freshness + eventText('changed', changed), isAsked: yours }
  }
  if (!mayRead || news.name === 'person') return null
  if (news.name === 'lead')
    return maySeeSchool(viewer, news.school) ? { text: eventText('lead', news.lead), isAsked: false } : null
  const changes = news.changes?.filter(({ schools }) => schools.some((school) => maySeeSchool(viewer, school))) ?? null
  if (changes?.length === 0) return null
  const authors = new Set(changes?.map(({ userId: by }) => by))
  const by = authors.size === 1 ? [...authors].join('') : ''
  const event: TriageEvent = { list: news.list, by, askInMs: NO_WAIT }
  return { text: eventText('triage', event), isAsked: true }
}

/** WHATWG HTML, section 9.2. */
function eventText(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
