import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useIsLive } from '@/components/browser/live'
import {
  type LeadItem,
  leadKeys,
  type LeadListQuery,
  leadPage,
  type LeadPage,
  type LeadPageOptions,
  PAGE_SIZE,
} from '@/lib/api/leads'
import { askAgain, refreshOptions } from '@/lib/api/refresh'
import { ApiError, waited } from '@/lib/api/send'
import type { ListCounts } from '@/lib/contract/list-query'
import type { ListDescription } from '@/lib/contract/lists'
import { freshRows } from '@/lib/inbox/row-layout'
import {
  firstRows,
  indexOfLead,
  type LoadedPage,
  rowAt,
  showWaiting,
  type WaitingRows,
  withFirstPage,
} from '@/lib/inbox/waiting-rows'
import { watchedPages } from './watched-pages'

export type ListRows = {
  /** Whose rows these are; behind the query asked for while that one's are on their way. */
  query: LeadListQuery
  /** The first page; undefined until there is one, and when it could not be fetched. */
  data: LeadPage | undefined
  /** The rows are still those of the filter before. */
  isPrevious: boolean
  /** Why the last request failed. With `data` beside it, the screen shows an earlier answer. */
  error: unknown
  refetch: () => void
  /** Rows on screen, without those that wait. */
  count: number
  waiting: number
  rowAt: (index: number) => LeadItem | undefined
  indexOf: (id: string) => number
  /** The lead at a place whose page may have to be fetched first; undefined when there is none. */
  loadRow: (index: number) => Promise<LeadItem | undefined>
  /** Every loaded row, in no order. */
  items: () => readonly LeadItem[]
  showWaiting: () => void
}

/**
 * The list as far as it is on screen: its first page, fetched again as the data gets newer, and the pages at `offsets`.
 * `isReading` decides whether new leads wait or come straight in.
 */
export function useListRows(
  description: ListDescription,
  query: LeadListQuery,
  offsets: readonly number[],
  isReading: boolean,
): ListRows {
  const head = useQuery({
    ...leadPage(description.list, query, 0),
    ...refreshOptions(useIsLive()),
    staleTime: JUST_READ_MS,
    placeholderData: keepPreviousData,
  })
  const client = useQueryClient()
  const [seen, showAll] = useWaitingRows(head, query, isReading)
  const shown = seen?.rows ?? null
  const pages = usePages(description, query, offsets, head)
  const error = useLastError(head, query)
  const hasOwnData = head.data !== undefined && !head.isPlaceholderData
  const isLost = error !== null && !hasOwnData
  const waiting = shown === null || isLost ? 0 : shown.waiting
  return {
    query: seen?.query ?? query,
    data: isLost ? undefined : head.data,
    isPrevious: head.isPlaceholderData,
    error,
    refetch: () => void head.refetch(),
    count: shown === null || isLost ? 0 : shown.total - shown.waiting,
    waiting,
    rowAt: useCallback((index) => (shown === null ? undefined : rowAt(index, pages, shown)), [pages, shown]),
    indexOf: useCallback((id) => (shown === null ? -1 : indexOfLead(id, pages, shown)), [pages, shown]),
    loadRow: async (index) => {
      const at = index + waiting
      const offset = at - (at % PAGE_SIZE)
      const page = await client.fetchQuery({ ...leadPage(description.list, query, offset), staleTime: JUST_READ_MS })
      return page.items[at - offset]
    },
    items: useCallback(() => pages.flatMap(({ page }) => page.items), [pages]),
    showWaiting: showAll,
  }
}

/** The rows that came with the page are not fetched a second time. */
const JUST_READ_MS = 5_000

/**
 * Why there is nothing newer. Where there is nothing at all yet and the server said how long that takes, one need not wait
 * for the next try to read of it. The error stays while the list is fetched again, or the screen would flicker at every try.
 */
function useLastError(
  { error: lastError, failureReason, data, isPlaceholderData }: UseQueryResult<LeadPage, unknown>,
  query: LeadListQuery,
): unknown {
  const isToldToWait = failureReason instanceof ApiError && failureReason.retryAfterMs !== null
  const error = lastError ?? (isToldToWait && data === undefined ? failureReason : null)
  const [last, setLast] = useState<{ error: unknown; query: LeadListQuery } | null>(null)
  if (error !== null && last?.error !== error) setLast({ error, query })
  const hasOwnData = data !== undefined && !isPlaceholderData
  return error ?? (last?.query === query && !hasOwnData ? last.error : null)
}

/** Which rows are on screen and which wait, as first pages come in; and what shows those that wait. */
function useWaitingRows(
  { data, isPlaceholderData }: UseQueryResult<LeadPage, unknown>,
  query: LeadListQuery,
  isReading: boolean,
): [SeenRows | null, () => void] {
  const [seen, setSeen] = useState<(SeenRows & { data: LeadPage }) | null>(() =>
    data === undefined ? null : { data, query, rows: firstRows(data) },
  )
  // State that follows data is set while rendering, so that no frame shows the new rows in the old places.
  if (data !== undefined && !isPlaceholderData && seen?.data !== data) {
    setSeen({ data, query, rows: rowsAfter(seen, data, query, isReading) })
  }
  const showAll = () => setSeen((before) => before && { ...before, rows: showWaiting(before.rows, before.data) })
  return [seen, showAll]
}

/** The rows on screen, and the query that they answer. */
type SeenRows = { query: LeadListQuery; rows: WaitingRows }

function rowsAfter(
  seen: { query: LeadListQuery; rows: WaitingRows } | null,
  data: LeadPage,
  query: LeadListQuery,
  isReading: boolean,
): WaitingRows {
  if (seen === null || seen.query !== query) return firstRows(data)
  const rows = withFirstPage(seen.rows, data, query.sort)
  return isReading ? rows : showWaiting(rows, data)
}

/** The loaded pages among `offsets`, with the first one; fetched again whenever the first one was. */
function usePages(
  description: ListDescription,
  query: LeadListQuery,
  offsets: readonly number[],
  head: UseQueryResult<LeadPage, unknown>,
): readonly LoadedPage[] {
  const client = useQueryClient()
  // The same while it asks the same: others would start over at every render.
  const watched = useMemo(() => {
    const beyond = offsets.filter((offset) => offset !== 0)
    const queries = beyond.map((offset) => ({
      ...delayedQuery(leadPage(description.list, query, offset)),
      offset,
      staleTime: Infinity,
      gcTime: OFF_SCREEN_MS,
    }))
    return watchedPages(client, queries)
  }, [client, offsets, description, query])
  const loaded = useSyncExternalStore(watched.subscribe, watched.read, watched.read)
  const { dataUpdatedAt, data } = head
  useEffect(() => {
    if (dataUpdatedAt === 0) return
    const isBeyond = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey.at(-1) !== 0
    const queryKey = leadKeys.pages(description.list, query)
    void askAgain(client, { queryKey, predicate: isBeyond })
  }, [client, description, query, dataUpdatedAt])
  return useMemo(() => (data === undefined ? loaded : [{ offset: 0, page: data }, ...loaded]), [data, loaded])
}

/** How long a page that has left the screen is kept. */
const OFF_SCREEN_MS = 60_000

const DELAY_MS = 60

/** The same query, sent only once its rows have stayed on screen: scrolling past a thousand pages fetches none of them. */
function delayedQuery(options: LeadPageOptions): LeadPageOptions {
  return {
    queryKey: options.queryKey,
    queryFn: async (context) => {
      await waited(context.signal, DELAY_MS)
      return options.queryFn(context)
    },
  }
}

/** The first rows that came since the last visit; `since` is when that ended, ms. */
type FreshRows = { count: number; since: number }

const NONE: FreshRows = { count: 0, since: 0 }

/** How many of the rows on screen are new to the person. In another order than newest first they are not together. */
export function useFreshRows(rows: ListRows, query: LeadListQuery, counts: ListCounts | undefined): FreshRows {
  const since = Date.parse(counts?.freshSince ?? '')
  if (counts === undefined || Number.isNaN(since) || query.sort !== '-createdAt' || query.fresh === true) return NONE
  const isFresh = (index: number) => {
    const item = rows.rowAt(index)
    return item === undefined ? undefined : Date.parse(item.createdAt) > since
  }
  return { count: freshRows(counts.fresh - rows.waiting, rows.count, isFresh), since }
}
