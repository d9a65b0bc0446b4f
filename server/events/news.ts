import 'server-only'
import { setTimeout } from 'node:timers/promises'
import type { Status } from '@/lib/contract/feed-status'
import type { LeadList } from '@/lib/contract/lead'
import { type FeedList, LEAD_LISTS, LISTS } from '@/lib/contract/lists'
import type { ChangedEvent, CountsEvent, TriageEvent } from '@/lib/contract/live-event'
import type { LeadTable } from '@/lib/leads/lead-table'
import { countSchools, type SchoolCounts } from '@/lib/leads/count-work'
import { may, maySee, scopeKey, type Viewer } from '@/server/access/viewer'
import type { ListState, Touched } from '@/server/feed/list-state'
import type { TriageColumnsCache } from '@/server/leads/list-counts'
import type { Logger } from '@/server/logger'
import { createQueue } from '@/server/concurrency-limit'
import { statusFor } from '@/server/operations/status'
import { tableFor } from '@/server/rights/protected-rows'
import type { Protections } from '@/server/rights/protection-list'
import type { Work } from '@/server/settings/work'
import type { TriageBoard } from '@/server/triage/triage-board'
import type { DeskEvent, Hub, TriageChange } from './announcer'

type Parts = {
  /** Not `markWatched`: announcing is not looking. */
  feed: {
    askedQuestions: () => LeadListState
    declarations: () => LeadListState
    highSchools: () => Pick<LeadListState, 'version'>
  }
  triage: Pick<TriageBoard, 'current' | 'changes'>
  triageColumns: TriageColumnsCache
  work: Pick<Work, 'rules'>
  protections: Pick<Protections, 'current'>
  hub: Pick<Hub<News>, 'publish'>
  logger: Pick<Logger, 'warn'>
  status: () => Status
}

type LeadListState = Pick<ListState<{ table: LeadTable }>, 'version' | 'content'>

export type News = FetchedNews | TriageNews | Exclude<DeskEvent, { name: 'triage' | 'protections' | 'work' }>

export type FetchedNews = {
  name: 'fetched'
  list: FeedList
  version: number
  isNew: boolean
  touched: Touched | null
  status: Status | null
  counted: SchoolCounts | null
}
export type TriageNews = {
  name: 'triage'
  list: LeadList
  /** Null when it is not known what changed. */
  changes: readonly TriageChange[] | null
  counted: SchoolCounts | null
}

export type Newsroom = ReturnType<typeof createNewsroom>

/** The counts come from the database, which may hang. */
const COUNTED_WITHIN_MS = 500

/** Publishes fetches and decisions to every stream, in order, with the counts, so that no browser has to ask. */
export function createNewsroom(parts: Parts) {
  const { feed, hub, status } = parts
  const inOrder = createQueue()
  const late = new Set<FeedList>()
  const publish = (make: () => Promise<News>) =>
    void inOrder(async () => hub.publish(await make())).catch((err: unknown) =>
      parts.logger.warn({ err }, 'news could not be published'),
    )

  /** Null too when counting takes too long; then the counts follow once. */
  const countsSoon = async (list: FeedList): Promise<SchoolCounts | null> => {
    const counting = countsOf(parts, list)
    const counted = await Promise.race([counting, setTimeout(COUNTED_WITHIN_MS, LATE, { ref: false })])
    if (counted !== LATE) return counted
    if (late.has(list)) return null
    late.add(list)
    const follow = () => late.delete(list) && fetched(list, true, null)
    void counting.then(follow, follow)
    return null
  }
  const fetchedNow = async (list: FeedList, isNew: boolean, touched: Touched | null): Promise<FetchedNews> => {
    const counted = isNew ? await countsSoon(list) : null
    return { name: 'fetched', list, version: versionOf(feed, list), isNew, touched, status: status(), counted }
  }
  const fetched = (list: FeedList, isNew: boolean, touched: Touched | null): void =>
    publish(() => fetchedNow(list, isNew, touched))
  const triaged = async (list: LeadList, changes: TriageNews['changes']): Promise<TriageNews> => {
    return { name: 'triage', list, changes, counted: await countsSoon(list) }
  }
  /** As if everything had just been decided: events may have been lost. */
  const missed = (): void => LEAD_LISTS.forEach((list) => publish(() => triaged(list, null)))
  return {
    desk: (event: DeskEvent): void => {
      if (event.name === 'triage') publish(() => triaged(event.list, event.changes))
      else if (event.name === 'protections' || event.name === 'work') missed()
      else hub.publish(event)
    },
    fetched,
    missed,
    beginning: async (): Promise<FetchedNews[]> => {
      const known = ([...LEAD_LISTS, 'high-schools'] as const).filter((list) => versionOf(feed, list) > 0)
      if (known.length === 0) return [await fetchedNow('asked-questions', false, null)]
      const news = await Promise.all(known.map((list) => fetchedNow(list, true, null)))
      return news.map((one, place) => (place === 0 ? one : { ...one, status: null }))
    },
  }
}

const LATE = Symbol('late')

function versionOf({ askedQuestions, declarations, highSchools }: Parts['feed'], list: FeedList): number {
  if (list === 'high-schools') return highSchools().version
  return (list === 'asked-questions' ? askedQuestions : declarations)().version
}

/** Counted once for everyone, so the counts must reveal no protected person. */
const ANYBODY = { id: '', schools: 'all' } as const

async function countsOf(
  { feed, triage, triageColumns, work, protections }: Parts,
  list: FeedList,
): Promise<SchoolCounts | null> {
  if (list === 'high-schools') return null
  const { content } = list === 'asked-questions' ? feed.askedQuestions() : feed.declarations()
  if (content === null) return null
  const { kind } = LISTS[list]
  const isProtected = protections.current().catch(() => null)
  const [entries, rules, known] = await Promise.all([triage.current(kind), work.rules(kind), isProtected])
  if (known === null) return null
  const table = tableFor(known, ANYBODY, content.table)
  return countSchools(table, triageColumns.of(table, entries, triage.changes(), rules), rules)
}

/** One person's lines, null when out of reach; written once for all who see the same. */
export function eventTextFor(news: News, viewer: Viewer): string | null {
  const reach = scopeKey(viewer)
  const known = textByScope.get(news) ?? new Map<string, string | null>()
  textByScope.set(news, known)
  const text = known.get(reach)
  if (text !== undefined) return text
  const written = write(news, viewer)
  known.set(reach, written)
  return written
}

const textByScope = new WeakMap<News, Map<string, string | null>>()

const NO_WAIT = -1
const WAIT = `"askInMs":${NO_WAIT}`

export function withWait(text: string, waitMs: number): string {
  return text.replace(WAIT, `"askInMs":${waitMs}`)
}

function write(news: News, viewer: Viewer): string | null {
  if (news.name === 'fetched') return writeFetched(news, viewer)
  if (!may(viewer, 'leads:read')) return null
  if (news.name === 'person') return null
  if (news.name === 'lead') return maySee(viewer, news.school) ? eventText('lead', news.lead) : null
  const changes = news.changes?.filter(({ schools }) => schools.some((school) => maySee(viewer, school))) ?? null
  if (changes?.length === 0) return null
  const event: TriageEvent = { list: news.list, by: onlyAuthor(changes ?? []), askInMs: NO_WAIT }
  const schools = changes && new Set(changes.flatMap((change) => change.schools))
  return eventText('triage', event) + countsFor(viewer, news.list, news.counted, schools)
}

function writeFetched({ list, version, isNew, touched, status, counted }: FetchedNews, viewer: Viewer): string {
  const freshness = status === null ? '' : eventText('status', statusFor(viewer, status))
  if (!isNew) return freshness
  const mayRead = may(viewer, 'leads:read')
  // Managers could add up how many leads came. Their tabs show no list and ask for counts themselves.
  if (!mayRead && list !== 'high-schools') return freshness
  const yours = touched === null || [...touched.schools].some((school) => maySee(viewer, school))
  const changed: ChangedEvent = { list, version, yours, askInMs: NO_WAIT }
  if (list === 'high-schools' || !yours) return freshness + eventText('changed', changed)
  return countsFor(viewer, list, counted, touched?.schools ?? null) + freshness + eventText('changed', changed)
}

function countsFor(
  viewer: Viewer,
  list: CountsEvent['list'],
  counted: SchoolCounts | null,
  schools: ReadonlySet<string> | null,
): string {
  if (counted === null) return ''
  let total = 0
  const unhandled: Record<string, number> = {}
  counted.schoolIds.forEach((school, index) => {
    if (!maySee(viewer, school)) return
    total += counted.total[index] ?? 0
    if (schools === null || schools.has(school)) unhandled[school] = counted.unhandled[index] ?? 0
  })
  return eventText('counts', { list, total, unhandled, isWhole: schools === null } satisfies CountsEvent)
}

/** WHATWG HTML, section 9.2. */
function eventText(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

function onlyAuthor([first, ...others]: readonly TriageChange[]): string {
  return first && others.every(({ by }) => by === first.by) ? first.by : ''
}
