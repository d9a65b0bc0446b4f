import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useIsLive } from '@/components/app/live'
import { useOwnChanges } from '@/components/app/own-changes'
import {
  type LeadListQuery,
  type LeadPage,
  leadPageQuery,
  type ListOrQueue,
  PAGE_STALE_MS,
  pageQueryKeys,
} from '@/lib/api/leads'
import { refetchMatching, refreshOptions } from '@/lib/api/polling'
import { ApiError, sleep } from '@/lib/api/send'
import { freezeRows, findLeadIndex, type LoadedRows, rowAt } from '@/lib/inbox/loaded-rows'
import { patchPage } from '@/lib/inbox/own-changes'
import type { LeadKey } from '@/lib/leads/lead-key'

/** Loads the first page, again for each new snapshot, and the pages at `offsets`. No row moves while `isFrozen`. */
export function useListRows(listOrQueue: ListOrQueue, query: LeadListQuery, offsets: number[], isFrozen: boolean) {
  const ownChanges = useOwnChanges()
  const answer = useListAnswer(listOrQueue, query)
  const laterPages = useLaterPages(listOrQueue, query, offsets)
  const current = useMemo((): QueryRows | null => {
    if (answer.data === undefined) return null
    const loaded = [{ offset: 0, page: answer.data }, ...(answer.query === query ? laterPages : [])]
    const pages = loaded.map(({ offset, page }) => ({ offset, page: patchPage(ownChanges, page) }))
    return { query: answer.query, pages, total: answer.data.total }
  }, [answer, query, ownChanges, laterPages])
  const loaded = useFrozenRows(current, isFrozen)
  return useMemo(
    () => toListRows({ ...answer, error: answer.query === query ? answer.error : null }, query, loaded),
    [answer, query, loaded],
  )
}

/** The server's latest answer. It is to the previous query until the rows of the current one arrive. */
type ListAnswer = {
  query: LeadListQuery
  /** The first page; undefined until it is loaded, and when that failed. */
  data: LeadPage | undefined
  /** With `data` beside it, the screen shows an earlier answer. */
  error: unknown
  /** The same query has had rows before. */
  hadRows: boolean
}

function useListAnswer(listOrQueue: ListOrQueue, query: LeadListQuery): ListAnswer {
  const client = useQueryClient()
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
  const isRetriedLater = failureReason instanceof ApiError && failureReason.retryAfterMs !== null
  const failure = error ?? (isRetriedLater && data === undefined ? failureReason : null)
  // The last answer stays until the next arrives, or the screen would flicker at every filter and every retry.
  const [last, setLast] = useState<ListAnswer>({ query, data: undefined, error: null, hadRows: false })
  const hadRows = (last.query === query && last.hadRows) || (data !== undefined && data.total > 0)
  const next = data === undefined && failure === null ? last : { query, data, error: failure, hadRows }
  const isSame =
    last.query === next.query && last.data === next.data && last.error === next.error && last.hadRows === next.hadRows
  if (!isSame) setLast(next)
  return isSame ? last : next
}

const OFF_SCREEN_MS = 60_000
/** Rows are requested after this time in sight, so that scrolling past a thousand pages requests none. */
const REQUEST_DELAY_MS = 60

/** Loads the pages after the first. */
function useLaterPages(listOrQueue: ListOrQueue, query: LeadListQuery, offsets: number[]) {
  const laterOffsets = useMemo(() => offsets.filter((offset) => offset !== 0), [offsets])
  const pages = useQueries({
    queries: laterOffsets.map((offset) => {
      const { queryKey, queryFn } = leadPageQuery(listOrQueue, query, offset)
      const fetchAfterDelay: typeof queryFn = async (context) => {
        await sleep(context.signal, REQUEST_DELAY_MS)
        return queryFn(context)
      }
      return { queryKey, queryFn: fetchAfterDelay, staleTime: Infinity, gcTime: OFF_SCREEN_MS }
    }),
    combine: selectPages,
  })
  return useMemo(() => {
    return laterOffsets.flatMap((offset, index) => {
      const page = pages[index]
      return page ? [{ offset, page }] : []
    })
  }, [laterOffsets, pages])
}

/** Its identity never changes, so it runs again only when a page has changed. */
const selectPages = (results: readonly { data: LeadPage | undefined }[]) => results.map(({ data }) => data)

type QueryRows = LoadedRows & { query: LeadListQuery }

/** Keeps the rows of a query in their places from the moment when they are frozen. */
function useFrozenRows(current: QueryRows | null, isFrozen: boolean): LoadedRows | null {
  const [frozen, setFrozen] = useState<QueryRows | null>(null)
  const validFrozen = isFrozen && frozen?.query === current?.query ? frozen : null
  const nextFrozen = isFrozen ? (validFrozen ?? current) : null
  if (nextFrozen !== frozen) setFrozen(nextFrozen)
  return useMemo(() => (validFrozen && current ? freezeRows(validFrozen, current) : current), [validFrozen, current])
}

export type ListRows = ReturnType<typeof toListRows>

export function toListRows(answer: ListAnswer, query: LeadListQuery, loaded: LoadedRows | null) {
  return {
    ...answer,
    isPrevious: answer.data !== undefined && answer.query !== query,
    count: loaded?.total ?? 0,
    /** These leads are held back until the user asks for them. */
    newCount: answer.data?.waiting ?? 0,
    rowAt: (index: number) => (loaded === null ? undefined : rowAt(index, loaded)),
    indexOf: (key: LeadKey) => (loaded === null ? -1 : findLeadIndex(key, loaded)),
    items: () => loaded?.pages.flatMap(({ page }) => page.items) ?? [],
  }
}
