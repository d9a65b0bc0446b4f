import type { QueryClient } from '@tanstack/react-query'
import type { Answer } from '@/lib/contract/endpoints'
import type { AskedQuestionItem, DeclarationOfInterestItem, LeadKind, LeadList } from '@/lib/contract/lead'
import type { LeadFilter, PagePart, QueuePage, Sort } from '@/lib/contract/list-query'
import { LEAD_LISTS, LISTS, type QueueName, QUEUES } from '@/lib/contract/lists'
import { type LeadKey, leadKey, parseLeadKey } from '@/lib/leads/lead-key'
import { api, apiQueryKey, type Input } from './call'
import { type WithRequestTime, withRequestTime } from './send'

export type LeadItem = AskedQuestionItem | DeclarationOfInterestItem

export type ListOrQueue = LeadList | QueueName

export const isQueue = (listOrQueue: ListOrQueue): listOrQueue is QueueName => listOrQueue in QUEUES

export const toLists = (listOrQueue: ListOrQueue): readonly LeadList[] =>
  isQueue(listOrQueue) ? LEAD_LISTS : [listOrQueue]

/** Parses the address's `lead`: the id of the open lead, and in a queue its kind before the id. */
export function parseLeadParam(listOrQueue: ListOrQueue, lead: string | null): LeadKey | null {
  if (!lead) return null
  if (!isQueue(listOrQueue)) return leadKey({ kind: LISTS[listOrQueue].kind, id: lead })
  return /^(asked-question|declaration-of-interest) /.test(lead) ? (lead as LeadKey) : null
}

/** Only the page of a queue has `deadlines`; its rows are ordered by deadline. */
export type LeadPage = WithRequestTime &
  Pick<QueuePage, 'total' | 'snapshot'> &
  Partial<Pick<QueuePage, 'place' | 'etag' | 'waiting' | 'cohort' | 'deadlines'>> & {
    items: readonly LeadItem[]
    /** Leads are shown up to this moment (ISO 8601). `waiting` counts the leads that came after it. */
    until?: string | null | undefined
  }

/** Only a queue can be filtered by `kind`. */
export type LeadListQuery = LeadFilter & { sort?: Sort | undefined; kind?: LeadKind | undefined }

/** One page fills even the tallest screen, and the first one comes with the HTML. */
export const PAGE_SIZE = 50
/** Rows that came with the HTML stay fresh for this long, and are not requested again. */
export const PAGE_STALE_MS = 5_000

type LeadPageOptions = {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal; client: QueryClient }) => Promise<LeadPage>
}

export const pageQueryKeys = {
  pages: (listOrQueue: ListOrQueue, query: LeadListQuery) => ['leads', listOrQueue, 'page', query] as const,
  page: (listOrQueue: ListOrQueue, query: LeadListQuery, offset: number) =>
    ['leads', listOrQueue, 'page', query, offset] as const,
}

/** The server sends an `etag` only to a request that names one, so the first request names this. */
const NO_PAGE = { items: [], etag: 'none' }

/** Requests the page that starts at `offset`; the server sends only what differs from the cached one. */
export function leadPageQuery(listOrQueue: ListOrQueue, query: LeadListQuery, offset: number): LeadPageOptions {
  const queryKey = pageQueryKeys.page(listOrQueue, query, offset)
  return {
    queryKey,
    queryFn: async ({ signal, client }) => {
      const pageParams = { ...query, offset, limit: PAGE_SIZE }
      const cached = client.getQueryData<LeadPage>(queryKey)
      const untilParam = readUntilParam(client, listOrQueue, query)
      const page = await requestPage(listOrQueue, { ...pageParams, ...untilParam }, signal, cached ?? NO_PAGE)
      const hasChanged = page.total !== cached?.total || page.waiting !== cached.waiting
      // The menu and the title show the same number, so the menu is requested again.
      if (cached && hasChanged && isQueue(listOrQueue))
        void client.invalidateQueries({ queryKey: apiQueryKey('GET /api/day') })
      // On an empty screen nothing can move, so new leads are shown at once.
      return page.total === 0 && (page.waiting ?? 0) > 0 ? requestPage(listOrQueue, pageParams, signal) : page
    },
  }
}

/** All pages of a list show leads up to the moment of the first one, so that new leads wait for the user. */
export function readUntilParam(client: QueryClient, listOrQueue: ListOrQueue, query: LeadListQuery) {
  const first = client.getQueryData<LeadPage>(pageQueryKeys.page(listOrQueue, query, 0))
  return first?.until ? { until: first.until } : {}
}

export function showNewLeads(client: QueryClient, listOrQueue: ListOrQueue, query: LeadListQuery): void {
  const queryKey = pageQueryKeys.page(listOrQueue, query, 0)
  client.setQueryData<LeadPage>(queryKey, (page) => page && { ...page, until: null, waiting: 0 })
  void client.invalidateQueries({ queryKey })
}

export function singleLeadQuery(list: LeadList, id: string): LeadPageOptions {
  return {
    queryKey: ['leads', list, 'one', id],
    queryFn: ({ signal }) => requestPage(list, { id: [id], limit: 1 }, signal),
  }
}

export function leadPositionQuery(listOrQueue: ListOrQueue, query: LeadListQuery, key: LeadKey): LeadPageOptions {
  const placeParam = isQueue(listOrQueue) ? key : parseLeadKey(key).id
  return {
    queryKey: ['leads', listOrQueue, 'place', query, key],
    queryFn: ({ signal, client }) => {
      const params = { ...query, place: placeParam, limit: 1, ...readUntilParam(client, listOrQueue, query) }
      return requestPage(listOrQueue, params, signal)
    },
  }
}

type ListEndpoint = `GET ${(typeof LISTS)[LeadList]['path']}`
type QueueEndpoint = 'GET /api/queues/[name]'
type PageQuery = LeadListQuery &
  Pick<NonNullable<Input<QueueEndpoint>['query']>, 'offset' | 'limit' | 'place' | 'until'>

export async function requestPage(
  listOrQueue: ListOrQueue,
  query: PageQuery,
  signal?: AbortSignal,
  cached?: Pick<LeadPage, 'items' | 'etag'>,
): Promise<LeadPage> {
  const options = { query: { ...query, known: cached && (cached.etag ?? NO_PAGE.etag) }, signal }
  return withRequestTime(async () => {
    const answer = isQueue(listOrQueue)
      ? await api('GET /api/queues/[name]', { params: { name: QUEUES[listOrQueue] }, ...options })
      : await api<ListEndpoint>(`GET ${LISTS[listOrQueue].path}`, options)
    const page = toLeadPage(listOrQueue, answer, cached?.items)
    return { ...page, until: query.until ?? page.until }
  })
}

type AnyAnswer = Omit<LeadPage, 'items' | 'requestedAt'> & {
  [Field in (typeof LISTS)[LeadList]['field'] | 'leads']?: LeadItem[]
} & { parts?: PagePart<LeadItem>[]; newest?: string | null }

export function toLeadPage(
  listOrQueue: ListOrQueue,
  answer: Answer<ListEndpoint | QueueEndpoint>,
  cached: readonly LeadItem[] = [],
): Omit<LeadPage, 'requestedAt'> {
  const field = isQueue(listOrQueue) ? 'leads' : LISTS[listOrQueue].field
  const { [field]: allItems, parts = [], newest: until, ...page } = answer as AnyAnswer
  // A part is an item, or the start and the length of a run of cached items.
  const items = allItems ?? parts.flatMap((part) => ('id' in part ? part : cached.slice(part[0], part[0] + part[1])))
  return { ...page, items, until }
}
