import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useIsLive } from '@/components/app/live'
import { useOwnChanges } from '@/components/app/use-triage'
import { type LeadItem, leadKeys, type LeadListQuery, leadPage, type LeadPage, type Place } from '@/lib/api/leads'
import { askAgain, refreshOptions } from '@/lib/api/polling'
import { ApiError, sleep } from '@/lib/api/send'
import { indexOfLead, inTheirPlaces, type LoadedRows, rowAt } from '@/lib/inbox/loaded-rows'
import { foldPage } from '@/lib/inbox/own-changes'
import type { LeadKey } from '@/lib/leads/lead-key'

/** The rows that came with the page are not fetched a second time. */
export const JUST_READ_MS = 5_000
const OFF_SCREEN_MS = 60_000
/** Rows are requested once they have stayed on screen this long: scrolling past a thousand pages fetches none of them. */
const DELAY_MS = 60

/** The first page, fetched again as the data gets newer, and those at `offsets`. New leads wait; while `isHeld`, no row moves. */
export function useListRows(place: Place, query: LeadListQuery, offsets: readonly number[], isHeld: boolean): ListRows {
  const client = useQueryClient()
  const head = useQuery({
    ...leadPage(place, query, 0),
    ...refreshOptions(useIsLive()),
    staleTime: JUST_READ_MS,
    placeholderData: keepPreviousData,
  })
  const { data, dataUpdatedAt, isPlaceholderData: isPrevious } = head
  // A screen has rows of three pages at most; a fourth may be the cursor's.
  const [a, b, c, d] = offsets.filter((offset) => offset !== 0)
  const [pageA, pageB] = [usePage(place, query, a), usePage(place, query, b)]
  const [pageC, pageD] = [usePage(place, query, c), usePage(place, query, d)]
  useEffect(() => {
    if (dataUpdatedAt === 0) return
    const isBeyond = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey.at(-1) !== 0
    void askAgain(client, { queryKey: leadKeys.pages(place, query), predicate: isBeyond })
  }, [client, place, query, dataUpdatedAt])
  const whose = useWhose(head, query)
  const own = useOwnChanges()
  const now = useMemo((): Moment | null => {
    if (data === undefined) return null
    const loaded = [{ offset: 0, page: data }, ...pagesAt([a, b, c, d], [pageA, pageB, pageC, pageD])]
    const pages = loaded.map(({ offset, page }) => ({ offset, page: foldPage(own, page) }))
    return { query: whose.query, pages, total: data.total }
  }, [data, own, whose.query, a, b, c, d, pageA, pageB, pageC, pageD])
  const error = useLastError(head, query)
  const isLost = error !== null && (data === undefined || isPrevious)
  const held = useHeld(now, isHeld)
  return useMemo(
    () => rowsOf({ ...whose, shown: isLost ? null : held, data: isLost ? undefined : data, isPrevious, error }),
    [whose, isLost, held, data, isPrevious, error],
  )
}

/** The page at `offset`; undefined until it is loaded. */
function usePage(place: Place, query: LeadListQuery, offset: number | undefined): LeadPage | undefined {
  const { queryKey, queryFn } = leadPage(place, query, offset ?? 0)
  const { data } = useQuery({
    queryKey,
    queryFn: async (context: Parameters<typeof queryFn>[0]) => {
      await sleep(context.signal, DELAY_MS)
      return queryFn(context)
    },
    enabled: offset !== undefined,
    staleTime: Infinity,
    gcTime: OFF_SCREEN_MS,
  })
  return offset === undefined ? undefined : data
}

function pagesAt(offsets: readonly (number | undefined)[], pages: readonly (LeadPage | undefined)[]) {
  return offsets.flatMap((offset, index) => {
    const page = pages[index]
    return offset === undefined || page === undefined ? [] : [{ offset, page }]
  })
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
