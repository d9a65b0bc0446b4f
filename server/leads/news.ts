import 'server-only'
import type { Status } from '@/lib/contract/feed-status'
import type { LeadList } from '@/lib/contract/lead'
import { type FeedList, LEAD_LISTS } from '@/lib/contract/lists'
import type { ChangedEvent, TriageEvent } from '@/lib/contract/live-event'
import { may, maySee, scopeKey, type Viewer } from '@/server/access/viewer'
import type { ListState, Touched } from '@/server/feed/list-state'
import { statusFor } from '@/server/leads/feed-status'
import type { DeskEvent, Hub, TriageChange } from '@/server/base/announcer'

type NewsroomOptions = {
  /** Not `markWatched`: announcing is not looking. */
  feed: {
    askedQuestions: () => Version
    declarations: () => Version
    highSchools: () => Version
  }
  hub: Pick<Hub<News>, 'publish'>
  status: () => Status
}

type Version = Pick<ListState<unknown>, 'version'>

export type News = FetchedNews | TriageNews | Exclude<DeskEvent, { name: 'triage' | 'protections' | 'work' }>

export type FetchedNews = {
  name: 'fetched'
  list: FeedList
  version: number
  isNew: boolean
  touched: Touched | null
  status: Status | null
}
export type TriageNews = {
  name: 'triage'
  list: LeadList
  /** Null when it is not known what changed. */
  changes: readonly TriageChange[] | null
}

/** Publishes fetches and decisions to every stream, in order. */
export function createNewsroom({ feed, hub, status }: NewsroomOptions) {
  const fetchedNow = (list: FeedList, isNew: boolean, touched: Touched | null): FetchedNews => {
    return { name: 'fetched', list, version: versionOf(feed, list), isNew, touched, status: status() }
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
    fetched: (list: FeedList, isNew: boolean, touched: Touched | null): void =>
      hub.publish(fetchedNow(list, isNew, touched)),
    missed,
    beginning: (): FetchedNews[] => {
      const known = ([...LEAD_LISTS, 'high-schools'] as const).filter((list) => versionOf(feed, list) > 0)
      if (known.length === 0) return [fetchedNow('asked-questions', false, null)]
      const news = known.map((list) => fetchedNow(list, true, null))
      return news.map((one, place) => (place === 0 ? one : { ...one, status: null }))
    },
  }
}

function versionOf({ askedQuestions, declarations, highSchools }: NewsroomOptions['feed'], list: FeedList): number {
  if (list === 'high-schools') return highSchools().version
  return (list === 'asked-questions' ? askedQuestions : declarations)().version
}

/** `isAsked`: the browser asks the server for what the event is about. */
type EventText = { text: string; isAsked: boolean }

/** One person's lines, null when out of scope; written once for all who see the same. */
export function eventTextFor(news: News, viewer: Viewer): EventText | null {
  const scope = scopeKey(viewer)
  const known = textsByScope.get(news) ?? new Map<string, EventText | null>()
  textsByScope.set(news, known)
  const text = known.get(scope)
  if (text !== undefined) return text
  const written = write(news, viewer)
  known.set(scope, written)
  return written
}

const textsByScope = new WeakMap<News, Map<string, EventText | null>>()

const NO_WAIT = -1
const WAIT = `"askInMs":${NO_WAIT}`

export function withWait(text: string, waitMs: number): string {
  return text.replace(WAIT, `"askInMs":${waitMs}`)
}

function write(news: News, viewer: Viewer): EventText | null {
  if (news.name === 'fetched') return writeFetched(news, viewer)
  if (news.name === 'person' || !may(viewer, 'leads:read')) return null
  if (news.name === 'lead')
    return maySee(viewer, news.school) ? { text: eventText('lead', news.lead), isAsked: false } : null
  const changes = news.changes?.filter(({ schools }) => schools.some((school) => maySee(viewer, school))) ?? null
  if (changes?.length === 0) return null
  const event: TriageEvent = { list: news.list, by: onlyAuthor(changes ?? []), askInMs: NO_WAIT }
  return { text: eventText('triage', event), isAsked: true }
}

function writeFetched({ list, version, isNew, touched, status }: FetchedNews, viewer: Viewer): EventText {
  const freshness = status === null ? '' : eventText('status', statusFor(viewer, status))
  const mayRead = may(viewer, 'leads:read')
  // Managers could add up how many leads came. Their tabs show no list and ask for counts themselves.
  if (!isNew || (!mayRead && list !== 'high-schools')) return { text: freshness, isAsked: false }
  const yours = touched === null || [...touched.schools].some((school) => maySee(viewer, school))
  const changed: ChangedEvent = { list, version, yours, askInMs: NO_WAIT }
  return { text: freshness + eventText('changed', changed), isAsked: yours }
}

/** WHATWG HTML, section 9.2. */
function eventText(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

function onlyAuthor([first, ...others]: readonly TriageChange[]): string {
  return first && others.every(({ by }) => by === first.by) ? first.by : ''
}
