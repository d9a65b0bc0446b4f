import type { QueryClient } from '@tanstack/react-query'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { AskedQuestionItem, DeclarationOfInterestItem, LeadList } from '@/lib/contract/lead'
import type { LeadFilter, PagePart, Sort } from '@/lib/contract/list-query'
import { LISTS } from '@/lib/contract/lists'
import { api, type Answer, type Input } from './call'
import { type Asked, asked } from './send'

export type LeadItem = AskedQuestionItem | DeclarationOfInterestItem

export type LeadPage<Item extends LeadItem = LeadItem> = Asked & {
  items: readonly Item[]
  total: number
  snapshot: SnapshotInfo
  place?: number | null | undefined
  /** Of its content, so that the server sends only differences. */
  etag?: string | undefined
}

export type LeadListQuery = LeadFilter & { sort?: Sort | undefined }

/** More than the tallest screen shows. The first page comes with the HTML. */
export const PAGE_SIZE = 50

export type LeadPageOptions = {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal; client: QueryClient }) => Promise<LeadPage>
}

export const leadKeys = {
  list: (list: LeadList) => ['leads', list] as const,
  pages: (list: LeadList, query: LeadListQuery) => ['leads', list, 'page', query] as const,
  page: (list: LeadList, query: LeadListQuery, offset: number) => ['leads', list, 'page', query, offset] as const,
  one: (list: LeadList, id: string) => ['leads', list, 'one', id] as const,
  place: (list: LeadList, query: LeadListQuery, id: string) => ['leads', list, 'place', query, id] as const,
}

/** The page that starts at `offset`: only what differs from the cached one is sent. */
export function leadPage(list: LeadList, query: LeadListQuery, offset: number): LeadPageOptions {
  const queryKey = leadKeys.page(list, query, offset)
  return {
    queryKey,
    queryFn: ({ signal, client }) =>
      requestPage(
        list,
        { ...query, offset, limit: PAGE_SIZE },
        signal,
        client.getQueryData<LeadPage>(queryKey) ?? NO_PAGE,
      ),
  }
}

/** No page has this etag, so the server sends the whole page. */
const NO_PAGE = { etag: 'none', items: [] }

export function oneLead(list: LeadList, id: string): LeadPageOptions {
  return {
    queryKey: leadKeys.one(list, id),
    queryFn: ({ signal }) => requestPage(list, { id: [id], limit: 1 }, signal),
  }
}

export function leadPlace(list: LeadList, query: LeadListQuery, id: string): LeadPageOptions {
  return {
    queryKey: leadKeys.place(list, query, id),
    queryFn: ({ signal }) => requestPage(list, { ...query, place: id, limit: 1 }, signal),
  }
}

type ListEndpoint = `GET ${(typeof LISTS)[LeadList]['path']}`

export async function requestPage(
  list: LeadList,
  query: NonNullable<Input<ListEndpoint>['query']>,
  signal?: AbortSignal,
  cached?: CachedPage,
): Promise<LeadPage> {
  const endpoint: ListEndpoint = `GET ${LISTS[list].path}`
  return asked(async () =>
    readLeadPage(list, await api(endpoint, { query: { ...query, known: cached?.etag }, signal }), cached),
  )
}

type CachedPage = Pick<LeadPage, 'etag' | 'items'>

export function readLeadPage(
  list: LeadList,
  answer: Answer<ListEndpoint>,
  cached: CachedPage = NO_PAGE,
): Omit<LeadPage, 'askedAt'> {
  const { field } = LISTS[list]
  const { [field]: whole, parts = [], ...page } = answer as AnyAnswer
  const items = whole ?? parts.flatMap((part) => ('id' in part ? part : cached.items.slice(part[0], part[0] + part[1])))
  return { ...page, items }
}

type AnyAnswer = Omit<LeadPage, 'items' | 'askedAt'> & {
  [Field in (typeof LISTS)[LeadList]['field']]?: LeadItem[]
} & { parts?: PagePart<LeadItem>[] }
