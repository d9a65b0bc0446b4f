import 'server-only'
import type { Status } from '@/lib/contract/feed-status'
import type { LeadList } from '@/lib/contract/lead'
import { type FeedList, LEAD_LISTS, LISTS } from '@/lib/contract/lists'
import { countSchools, type SchoolCounts } from '@/lib/leads/school-counts'
import type { Feed } from '@/server/feed/feed'
import type { Touched } from '@/server/feed/list-refresher'
import type { TriageColumnsCache } from '@/server/leads/list-counts'
import { leadTable } from '@/server/leads/select-leads'
import { createQueue } from '@/server/queue'
import type { TriageBoard } from '@/server/triage/triage-board'
import type { DeskEvent, Hub } from './announcer'

type Parts = {
  feed: Pick<Feed, 'askedQuestions' | 'declarations' | 'highSchools' | 'markWatched' | 'ready'>
  triage: Pick<TriageBoard, 'current' | 'changes'>
  triageColumns: TriageColumnsCache
  hub: Pick<Hub<News>, 'publish'>
  /** How fresh the lists are now. */
  status: () => Status
}

/** Everything a live stream may be about, put together once for all of them. */
export type News = FetchedNews | TriageNews | Exclude<DeskEvent, { name: 'triage' }>

/** A list was fetched, or its fetching failed. */
export type FetchedNews = {
  name: 'fetched'
  list: FeedList
  version: number
  /** Whether it is another version than before the fetch. */
  isNew: boolean
  /** What is other; null where that is not known. */
  touched: Touched | null
  /** Null where it is told beside this. */
  status: Status | null
  counted: SchoolCounts | null
}
type TriageNews = Extract<DeskEvent, { name: 'triage' }> & { counted: SchoolCounts | null }

export type Newsroom = ReturnType<typeof createNewsroom>

/**
 * Tells every stream what a fetch or a decision came to, in the order in which it happened, with the numbers that all
 * screens show, so that no browser has to ask for them.
 */
export function createNewsroom(parts: Parts) {
  const { feed, hub, status } = parts
  const inOrder = createQueue()
  const fetchedNow = async (
    list: FeedList,
    { isNew, touched }: Pick<FetchedNews, 'isNew' | 'touched'>,
  ): Promise<FetchedNews> => {
    const counted = isNew ? await countsOf(parts, list) : null
    return { name: 'fetched', list, version: versionOf(feed, list), isNew, touched, status: status(), counted }
  }
  return {
    desk: (event: DeskEvent): void => {
      if (event.name !== 'triage') return hub.publish(event)
      void inOrder(async () => hub.publish({ ...event, counted: await countsOf(parts, event.list) }))
    },
    fetched: (list: FeedList, isNew: boolean, touched: Touched | null): void => {
      void inOrder(async () => hub.publish(await fetchedNow(list, { isNew, touched })))
    },
    /** For a stream that begins: as if every list had just been fetched. */
    beginning: async (): Promise<FetchedNews[]> => {
      const known = ([...LEAD_LISTS, 'high-schools'] as const).filter((list) => versionOf(feed, list) > 0)
      const news = await Promise.all(known.map((list) => fetchedNow(list, { isNew: true, touched: null })))
      return news.map((one, place) => (place === 0 ? one : { ...one, status: null }))
    },
  }
}

function versionOf({ askedQuestions, declarations, highSchools }: Parts['feed'], list: FeedList): number {
  const states = {
    'asked-questions': askedQuestions,
    'declarations-of-interest': declarations,
    'high-schools': highSchools,
  }
  return states[list]().version
}

/** Null where there is nothing to count. */
async function countsOf({ feed, triage, triageColumns }: Parts, list: FeedList): Promise<SchoolCounts | null> {
  if (list === 'high-schools') return null
  const { kind } = LISTS[list]
  const [table, entries] = await Promise.all([leadTable({ feed }, kind).catch(() => null), triage.current(kind)])
  if (table === null) return null
  return countSchools(table, triageColumns.of(table, entries, triage.changes()))
}
