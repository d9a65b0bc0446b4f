import type { QueryClient } from '@tanstack/react-query'
import type { AskedQuestionItem, DeclarationOfInterestItem, LeadKind, LeadList } from '@/lib/contract/lead'
import type { LeadFilter, PagePart, QueuePage, Sort } from '@/lib/contract/list-query'
import { LEAD_LISTS, LISTS, QUEUES, type QueueName } from '@/lib/contract/lists'
import { type LeadKey, leadKey, refOf } from '@/lib/leads/lead-key'
import type { Answer } from '@/lib/contract/endpoints'
import { api, type Input, keyOf } from './call'
import { type Asked, asked } from './send'

export type LeadItem = AskedQuestionItem | DeclarationOfInterestItem

export type Place = LeadList | QueueName

export const isQueue = (place: Place): place is QueueName => place in QUEUES

export const listsOf = (place: Place): readonly LeadList[] => (isQueue(place) ? LEAD_LISTS : [place])

/** The address has the id of the open lead, and in a queue its kind before the id. */
export function keyInAddress(place: Place, lead: string | null): LeadKey | null {
  if (!lead) return null
  if (!isQueue(place)) return leadKey({ kind: LISTS[place].kind, id: lead })
  return /^(asked-question|declaration-of-interest) /.test(lead) ? (lead as LeadKey) : null
}

/** Only a queue has deadlines, and its rows are in their order. */
export type LeadPage = Asked &
  Pick<QueuePage, 'total' | 'snapshot'> &
  Partial<Pick<QueuePage, 'place' | 'etag' | 'waiting' | 'cohort' | 'deadlines'>> & {
    items: readonly LeadItem[]
    /** The moment (ISO 8601) up to which leads are shown. `waiting` counts the leads that came after it. */
    until?: string | null | undefined
  }

/** Only a queue can be filtered by `kind`. */
export type LeadListQuery = LeadFilter & { sort?: Sort | undefined; kind?: LeadKind | undefined }

/** The tallest screen shows fewer rows. The first page comes with the HTML. */
export const PAGE_SIZE = 50

type LeadPageOptions = {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal; client: QueryClient }) => Promise<LeadPage>
}

export const leadKeys = {
  pages: (place: Place, query: LeadListQuery) => ['leads', place, 'page', query] as const,
  page: (place: Place, query: LeadListQuery, offset: number) => ['leads', place, 'page', query, offset] as const,
}

/** Requests the page that starts at `offset`; the server sends only what differs from the cached one. */
export function leadPage(place: Place, query: LeadListQuery, offset: number): LeadPageOptions {
  const queryKey = leadKeys.page(place, query, offset)
  return {
    queryKey,
    queryFn: async ({ signal, client }) => {
      const ask = { ...query, offset, limit: PAGE_SIZE }
      const cached = client.getQueryData<LeadPage>(queryKey)
      const page = await requestPage(place, { ...ask, ...heldBack(client, place, query) }, signal, cached ?? NO_PAGE)
      const isOther = page.total !== cached?.total || page.waiting !== cached.waiting
      // The number in the menu must equal the one in the title.
      if (cached && isOther && isQueue(place)) void client.invalidateQueries({ queryKey: keyOf('GET /api/day') })
      // New leads cannot move anything where the screen is empty.
      return page.total === 0 && (page.waiting ?? 0) > 0 ? requestPage(place, ask, signal) : page
    },
  }
}

/** New leads are shown when the user wants them, and until then every page is requested without them. */
export function heldBack(client: QueryClient, place: Place, query: LeadListQuery): { until?: string } {
  const first = client.getQueryData<LeadPage>(leadKeys.page(place, query, 0))
  return first?.until ? { until: first.until } : {}
}

export function showWaiting(client: QueryClient, place: Place, query: LeadListQuery): void {
  const queryKey = leadKeys.page(place, query, 0)
  client.setQueryData<LeadPage>(queryKey, (page) => page && { ...page, until: null, waiting: 0 })
  void client.invalidateQueries({ queryKey })
}

export function oneLead(list: LeadList, id: string): LeadPageOptions {
  return {
    queryKey: ['leads', list, 'one', id],
    queryFn: ({ signal }) => requestPage(list, { id: [id], limit: 1 }, signal),
  }
}

export function leadPlace(place: Place, query: LeadListQuery, key: LeadKey): LeadPageOptions {
  const wanted = isQueue(place) ? key : refOf(key).id
  return {
    queryKey: ['leads', place, 'place', query, key],
    queryFn: ({ signal, client }) =>
      requestPage(place, { ...query, place: wanted, limit: 1, ...heldBack(client, place, query) }, signal),
  }
}

type ListEndpoint = `GET ${(typeof LISTS)[LeadList]['path']}`
type QueueEndpoint = 'GET /api/queues/[name]'
type PageQuery = LeadListQuery &
  Pick<NonNullable<Input<QueueEndpoint>['query']>, 'offset' | 'limit' | 'place' | 'until'>

/** The server sends a tag only to a request that names one, so the first request names this one. */
const NO_PAGE = { items: [], etag: 'none' }

export async function requestPage(
  place: Place,
  query: PageQuery,
  signal?: AbortSignal,
  cached?: Pick<LeadPage, 'items' | 'etag'>,
): Promise<LeadPage> {
  const asking = { query: { ...query, known: cached && (cached.etag ?? NO_PAGE.etag) }, signal }
  return asked(async () => {
    const answer = isQueue(place)
      ? await api('GET /api/queues/[name]', { params: { name: QUEUES[place] }, ...asking })
      : await api<ListEndpoint>(`GET ${LISTS[place].path}`, asking)
    const page = readLeadPage(place, answer, cached?.items)
    return { ...page, until: query.until ?? page.until }
  })
}

type AnyAnswer = Omit<LeadPage, 'items' | 'askedAt'> & {
  [Field in (typeof LISTS)[LeadList]['field'] | 'leads']?: LeadItem[]
} & { parts?: PagePart<LeadItem>[]; newest?: string | null }

export function readLeadPage(
  place: Place,
  answer: Answer<ListEndpoint | QueueEndpoint>,
  cached: readonly LeadItem[] = [],
): Omit<LeadPage, 'askedAt'> {
  const field = isQueue(place) ? 'leads' : LISTS[place].field
  const { [field]: whole, parts = [], newest: until, ...page } = answer as AnyAnswer
  const items = whole ?? parts.flatMap((part) => ('id' in part ? part : cached.slice(part[0], part[0] + part[1])))
  return { ...page, items, until }
}
