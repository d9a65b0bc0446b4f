import {
  keepPreviousData,
  type QueryClient,
  QueryObserver,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useIsLive } from '@/components/browser/live'
import { usePending } from '@/components/triage/use-pending'
import {
  type LeadItem,
  leadKeys,
  type LeadListQuery,
  leadPage,
  type LeadPage,
  type LeadPageOptions,
  PAGE_SIZE,
  type Place,
} from '@/lib/api/leads'
import { askAgain, refreshOptions } from '@/lib/api/refresh'
import { ApiError, sleep } from '@/lib/api/send'
import type { ListCounts } from '@/lib/contract/list-query'
import type { LeadKey } from '@/lib/leads/lead-key'
import { freshRows } from '@/lib/inbox/row-layout'
import {
  firstRows,
  indexOfLead,
  inTheirPlaces,
  type ListMoment,
  type LoadedPage,
  rowAt,
  showWaiting,
  type WaitingRows,
  withFirstPage,
} from '@/lib/inbox/waiting-rows'
import { useQueueParts } from './queue-parts'

export type ListRows = ReturnType<typeof useListRows>

/** The first page, fetched again as the data gets newer, and those at `offsets`. New leads wait; while `isHeld`, no row moves. */
export function useListRows(place: Place, query: LeadListQuery, offsets: readonly number[], isHeld: boolean) {
  const head = useQuery({
    ...leadPage(place, query, 0),
    ...refreshOptions(useIsLive()),
    staleTime: JUST_READ_MS,
    placeholderData: keepPreviousData,
  })
  const client = useQueryClient()
  const queue = useQueueParts()
  const [seen, showAll] = useWaitingRows(head, query)
  const loaded = usePages(place, query, offsets, head)
  const { pending, readPending } = usePending()
  const pages = useMemo(
    () => loaded.map(({ offset, page }) => ({ offset, page: pending.page(page) })),
    [loaded, pending],
  )
  const now = useMemo(() => seen && { query: seen.query, pages, rows: seen.rows }, [seen, pages])
  const shown = useHeld(now, isHeld)
  const error = useLastError(head, query)
  const hasOwnData = head.data !== undefined && !head.isPlaceholderData
  const isLost = error !== null && !hasOwnData
  const above = seen?.rows.waiting ?? 0
  return {
    client,
    /** Whose rows these are: behind the query asked for while that one's are on their way. */
    query: seen?.query ?? query,
    /** The first page; undefined until there is one, and when it could not be fetched. */
    data: isLost ? undefined : head.data,
    isPrevious: head.isPlaceholderData,
    /** Why the last request failed. With `data` beside it, the screen shows an earlier answer. */
    error,
    refetch: () => void head.refetch(),
    /** Rows on screen, without those that wait. */
    count: shown === null || isLost ? 0 : shown.rows.total - shown.rows.waiting,
    /** How many new leads wait. In a queue they may belong anywhere, and the server leaves them out. */
    waiting: isLost ? 0 : above + (head.data?.waiting ?? 0),
    /** Rows of the server's that are not on screen, above those that are. */
    above,
    /** Whether it had any before, by the same filters. */
    hadSome: seen !== null && seen.rows.known.length > 0,
    rowAt: useCallback((index: number) => shown?.rows && rowAt(index, shown.pages, shown.rows), [shown]),
    indexOf: useCallback((key: LeadKey) => (shown === null ? -1 : indexOfLead(key, shown.pages, shown.rows)), [shown]),
    /** The lead at a place whose page may have to be fetched first; undefined when there is none. */
    loadRow: async (index: number) => {
      const at = index + above
      const offset = at - (at % PAGE_SIZE)
      const page = await client.fetchQuery({ ...leadPage(place, query, offset), staleTime: JUST_READ_MS })
      return readPending().page(page).items[at - offset]
    },
    /** Every loaded row, in no order. */
    items: useCallback((): readonly LeadItem[] => shown?.pages.flatMap(({ page }) => page.items) ?? [], [shown]),
    showWaiting: queue ? () => queue.showWaiting(client, place, query) : showAll,
  }
}

/** The rows that came with the page are not fetched a second time. */
const JUST_READ_MS = 5_000

/** Why there is nothing newer. It stays while the list is fetched again, or the screen would flicker at every try. */
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

function useWaitingRows(
  { data, isPlaceholderData }: UseQueryResult<LeadPage, unknown>,
  query: LeadListQuery,
): [SeenRows | null, () => void] {
  const [seen, setSeen] = useState<(SeenRows & { data: LeadPage }) | null>(() =>
    data === undefined ? null : { data, query, rows: firstRows(data) },
  )
  // State that follows data is set while rendering, so that no frame shows the new rows in the old places.
  if (data !== undefined && !isPlaceholderData && seen?.data !== data) {
    const rows = seen?.query === query ? withFirstPage(seen.rows, data, query.sort) : firstRows(data)
    setSeen({ data, query, rows })
  }
  const showAll = () => setSeen((before) => before && { ...before, rows: showWaiting(before.rows, before.data) })
  return [seen, showAll]
}

type SeenRows = { query: LeadListQuery; rows: WaitingRows }

type Moment = ListMoment & { query: LeadListQuery }

/** The moment at which the rows were held, of the same list. */
function useHeld(now: Moment | null, isHeld: boolean): ListMoment | null {
  const [held, setHeld] = useState<Moment | null>(null)
  const kept = isHeld && held?.query === now?.query ? held : null
  const next = isHeld ? (kept ?? now) : null
  if (next !== held) setHeld(next)
  return useMemo(() => (kept === null || now === null || kept === now ? now : inTheirPlaces(kept, now)), [kept, now])
}

function usePages(
  place: Place,
  query: LeadListQuery,
  offsets: readonly number[],
  head: UseQueryResult<LeadPage, unknown>,
): readonly LoadedPage[] {
  const client = useQueryClient()
  // The same while it asks the same: others would start over at every render.
  const watched = useMemo(() => {
    const beyond = offsets.filter((offset) => offset !== 0)
    const queries = beyond.map((offset) => ({
      ...delayedQuery(leadPage(place, query, offset)),
      offset,
      staleTime: Infinity,
      gcTime: OFF_SCREEN_MS,
    }))
    return watchedPages(client, queries)
  }, [client, offsets, place, query])
  const loaded = useSyncExternalStore(watched.subscribe, watched.read, watched.read)
  const { dataUpdatedAt, data } = head
  useEffect(() => {
    if (dataUpdatedAt === 0) return
    const isBeyond = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey.at(-1) !== 0
    const queryKey = leadKeys.pages(place, query)
    void askAgain(client, { queryKey, predicate: isBeyond })
  }, [client, place, query, dataUpdatedAt])
  return useMemo(() => (data === undefined ? loaded : [{ offset: 0, page: data }, ...loaded]), [data, loaded])
}

export type PageQuery = LeadPageOptions & { offset: number; staleTime: number; gcTime: number }

/** The loaded pages of these queries, fetched while there is a listener. For `useSyncExternalStore`. */
export function watchedPages(client: QueryClient, queries: readonly PageQuery[]) {
  let pages: readonly LoadedPage[] = []
  return {
    subscribe: (listener: () => void) => {
      const stops = queries.map(({ offset: _place, ...query }) => new QueryObserver(client, query).subscribe(listener))
      // Later: a page that the next ones are watched with must not be given up on the way there.
      return () => queueMicrotask(() => stops.forEach((stop) => stop()))
    },
    /** The same array while it holds the same pages. */
    read: (): readonly LoadedPage[] => {
      const now = queries.flatMap(({ offset, queryKey }) => {
        const page = client.getQueryData<LeadPage>(queryKey)
        return page === undefined ? [] : [{ offset, page }]
      })
      const isSame = now.length === pages.length && now.every(({ page }, at) => page === pages[at]?.page)
      if (!isSame) pages = now
      return pages
    },
  }
}

const OFF_SCREEN_MS = 60_000

const DELAY_MS = 60

/** Sent only once its rows have stayed on screen: scrolling past a thousand pages fetches none of them. */
function delayedQuery(options: LeadPageOptions): LeadPageOptions {
  return {
    queryKey: options.queryKey,
    queryFn: async (context) => {
      await sleep(context.signal, DELAY_MS)
      return options.queryFn(context)
    },
  }
}

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
  return { count: freshRows(counts.fresh - rows.above, rows.count, isFresh), since }
}
