import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useIsLive } from '@/components/app/live'
import { useOwnChanges } from '@/components/app/use-triage'
import { isShallowEqual } from '@/components/ui/external-store'
import {
  type LeadItem,
  pageQueryKeys,
  type LeadListQuery,
  leadPageQuery,
  type LeadPage,
  type ListOrQueue,
} from '@/lib/api/leads'
import { refetchMatching, refreshOptions } from '@/lib/api/polling'
import { ApiError, sleep } from '@/lib/api/send'
import { indexOfLead, freezeRows, type LoadedRows, rowAt } from '@/lib/inbox/loaded-rows'
import { patchPage } from '@/lib/inbox/own-changes'
import type { LeadKey } from '@/lib/leads/lead-key'

/** The rows that came with the page are not fetched a second time. */
export const PAGE_STALE_MS = 5_000
const OFF_SCREEN_MS = 60_000
/** Rows are requested once they have stayed on screen this long: scrolling past a thousand pages fetches none of them. */
const REQUEST_DELAY_MS = 60

/** The server's latest answer about a list. */
type ListAnswer = {
  /** Whose rows these are: behind the query asked for while that one's are on their way. */
  query: LeadListQuery
  /** The first page; undefined until there is one, and when it could not be fetched. */
  data: LeadPage | undefined
  /** Why the last request failed. With `data` beside it, the screen shows an earlier answer. */
  error: unknown
  /** Whether the same query has had rows before. */
  hadRows: boolean
}

/** The first page, fetched again as the data gets newer, and those at `offsets`. New leads wait; while `isHeld`, no row moves. */
export function useListRows(
  listOrQueue: ListOrQueue,
  query: LeadListQuery,
  offsets: readonly number[],
  areRowsFrozen: boolean,
): ListRows {
  const client = useQueryClient()
  const ownChanges = useOwnChanges()
  const { data, error, failureReason, dataUpdatedAt } = useQuery({
    ...leadPageQuery(listOrQueue, query, 0),
    ...refreshOptions(useIsLive()),
    staleTime: PAGE_STALE_MS,
  })
  useEffect(() => {
    if (dataUpdatedAt === 0) return
    const isLaterPage = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey.at(-1) !== 0
    void refetchMatching(client, { queryKey: pageQueryKeys.pages(listOrQueue, query), predicate: isLaterPage })
  }, [client, listOrQueue, query, dataUpdatedAt])

  const mustRetryLater = failureReason instanceof ApiError && failureReason.retryAfterMs !== null
  const failure = error ?? (mustRetryLater && data === undefined ? failureReason : null)
  // The last outcome stays while the next is on its way, or the screen would flicker at every filter and every try.
  const [last, setLast] = useState<ListAnswer>({ query, data: undefined, error: null, hadRows: false })
  const hadRows = (last.query === query && last.hadRows) || (data !== undefined && data.total > 0)
  const next = data === undefined && failure === null ? last : { query, data, error: failure, hadRows }
  const outcome = isShallowEqual(last, next) ? last : next
  if (outcome !== last) setLast(outcome)

  const laterOffsets = useMemo(() => offsets.filter((offset) => offset !== 0), [offsets])
  const laterPages = useQueries({
    queries: laterOffsets.map((offset) => {
      const { queryKey, queryFn } = leadPageQuery(listOrQueue, query, offset)
      const fetchLater = async (context: Parameters<typeof queryFn>[0]) => {
        await sleep(context.signal, REQUEST_DELAY_MS)
        return queryFn(context)
      }
      return { queryKey, queryFn: fetchLater, staleTime: Infinity, gcTime: OFF_SCREEN_MS }
    }),
    combine: selectPages,
  })
  const current = useMemo((): QueryRows | null => {
    if (outcome.data === undefined) return null
    const later = laterOffsets.map((offset, index) => ({ offset, page: laterPages[index] }))
    const loaded = [{ offset: 0, page: outcome.data }, ...(outcome.query === query ? later : [])]
    const pages = loaded.flatMap(({ offset, page }) => (page ? [{ offset, page: patchPage(ownChanges, page) }] : []))
    return { query: outcome.query, pages, total: outcome.data.total }
  }, [outcome, query, ownChanges, laterOffsets, laterPages])

  const [frozen, setFrozen] = useState<QueryRows | null>(null)
  const validFrozen = areRowsFrozen && frozen?.query === current?.query ? frozen : null
  const nextFrozen = areRowsFrozen ? (validFrozen ?? current) : null
  if (nextFrozen !== frozen) setFrozen(nextFrozen)
  return useMemo(() => {
    const shown =
      validFrozen === null || current === null || validFrozen === current ? current : freezeRows(validFrozen, current)
    return toListRows({ ...outcome, error: outcome.query === query ? outcome.error : null }, query, shown)
  }, [outcome, query, validFrozen, current])
}

type QueryRows = LoadedRows & { query: LeadListQuery }

const selectPages = (results: readonly { data: LeadPage | undefined }[]) => results.map(({ data }) => data)

export type ListRows = ReturnType<typeof toListRows>

/** The rows as parts of the screen read them; `wanted` is the query that is asked for. */
export function toListRows(outcome: ListAnswer, query: LeadListQuery, loaded: LoadedRows | null) {
  return {
    ...outcome,
    isPrevious: outcome.data !== undefined && outcome.query !== query,
    count: loaded?.total ?? 0,
    /** How many new leads wait: the server leaves them out until they are wanted. */
    newCount: outcome.data?.waiting ?? 0,
    rowAt: (index: number) => (loaded === null ? undefined : rowAt(index, loaded)),
    indexOf: (key: LeadKey) => (loaded === null ? -1 : indexOfLead(key, loaded)),
    items: (): readonly LeadItem[] => loaded?.pages.flatMap(({ page }) => page.items) ?? [],
  }
}
