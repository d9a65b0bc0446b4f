import {
  keepPreviousData,
  type QueryClient,
  QueryObserver,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useIsLive } from '@/components/browser/live'
import { usePending } from '@/components/triage/use-pending'
import {
  type LeadItem,
  leadKeys,
  type LeadListQuery,
  leadPage,
  type LeadPage,
  type LeadPageOptions,
  type Place,
} from '@/lib/api/leads'
import { askAgain, refreshOptions } from '@/lib/api/polling'
import { ApiError, sleep } from '@/lib/api/send'
import type { LeadKey } from '@/lib/leads/lead-key'
import { indexOfLead, inTheirPlaces, type LoadedRows, rowAt } from '@/lib/inbox/loaded-rows'

/** The first page, fetched again as the data gets newer, and those at `offsets`. New leads wait; while `isHeld`, no row moves. */
export function useListRows(place: Place, query: LeadListQuery, offsets: readonly number[], isHeld: boolean): ListRows {
  const head = useQuery({
    ...leadPage(place, query, 0),
    ...refreshOptions(useIsLive()),
    staleTime: JUST_READ_MS,
    placeholderData: keepPreviousData,
  })
  const { data, isPlaceholderData: isPrevious } = head
  const whose = useWhose(head, query)
  const loaded = usePages(place, query, offsets, data, head.dataUpdatedAt)
  const { pending } = usePending()
  const now = useMemo((): Moment | null => {
    const pages = loaded.map(({ offset, page }) => ({ offset, page: pending.page(page) }))
    return data === undefined ? null : { query: whose.query, pages, total: data.total }
  }, [loaded, pending, data, whose.query])
  const error = useLastError(head, query)
  const isLost = error !== null && (data === undefined || isPrevious)
  const held = useHeld(now, isHeld)
  return useMemo(
    () => rowsOf({ ...whose, shown: isLost ? null : held, data: isLost ? undefined : data, isPrevious, error }),
    [whose, isLost, held, data, isPrevious, error],
  )
}

type Shown = {
  /** Whose rows these are: behind the query asked for while that one's are on their way. */
  query: LeadListQuery
  /** Whether it had any before, by the same filters. */
  hadSome: boolean
  shown: LoadedRows | null
  /** The first page; undefined until there is one, and when it could not be fetched. */
  data: LeadPage | undefined
  isPrevious: boolean
  /** Why the last request failed. With `data` beside it, the screen shows an earlier answer. */
  error: unknown
}

export type ListRows = ReturnType<typeof rowsOf>

export function rowsOf({ shown, ...of }: Shown) {
  return {
    ...of,
    count: shown?.total ?? 0,
    /** How many new leads wait: the server leaves them out until they are wanted. */
    waiting: of.data?.waiting ?? 0,
    rowAt: (index: number) => (shown === null ? undefined : rowAt(index, shown)),
    indexOf: (key: LeadKey) => (shown === null ? -1 : indexOfLead(key, shown)),
    items: (): readonly LeadItem[] => shown?.pages.flatMap(({ page }) => page.items) ?? [],
  }
}

/** The rows that came with the page are not fetched a second time. */
export const JUST_READ_MS = 5_000

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

/** Of which query the newest answer is, set while rendering, so that no frame shows rows as those of another. */
function useWhose({ data, isPlaceholderData }: UseQueryResult<LeadPage, unknown>, query: LeadListQuery) {
  const [whose, setWhose] = useState({ query, hadSome: false })
  if (data === undefined || isPlaceholderData) return whose
  const hadSome = (whose.query === query && whose.hadSome) || data.total > 0
  if (whose.query === query && whose.hadSome === hadSome) return whose
  const next = { query, hadSome }
  setWhose(next)
  return next
}

type Moment = LoadedRows & { query: LeadListQuery }

function useHeld(now: Moment | null, isHeld: boolean): LoadedRows | null {
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
  data: LeadPage | undefined,
  dataUpdatedAt: number,
): LoadedRows['pages'] {
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
  let pages: LoadedRows['pages'] = []
  return {
    subscribe: (listener: () => void) => {
      const stops = queries.map(({ offset: _place, ...query }) => new QueryObserver(client, query).subscribe(listener))
      // Later: a page that the next ones are watched with must not be given up on the way there.
      return () => queueMicrotask(() => stops.forEach((stop) => stop()))
    },
    /** The same array while it holds the same pages. */
    read: (): LoadedRows['pages'] => {
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
