import { type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useIsLive } from '@/components/app/live'
import { readOwnChanges, useOwnChanges } from '@/components/app/own-changes'
import {
  type LeadListQuery,
  type LeadPage,
  leadPageQuery,
  type ListOrQueue,
  PAGE_STALE_MS,
  pageQueryKeys,
} from '@/lib/api/leads'
import { pollUnlessLive, refetchMatching } from '@/lib/api/polling'
import { ApiError, sleep } from '@/lib/api/send'
import { freezeRows, findLeadIndex, type LoadedRows, rowAt } from '@/lib/inbox/loaded-rows'
import { patchPage } from '@/lib/inbox/own-changes'
import type { LeadKey } from '@/lib/leads/lead-key'

/** Returns the rows of the first page and of those at `offsets`, with the user's own changes. */
export function useListRows(listOrQueue: ListOrQueue, query: LeadListQuery, offsets: number[], isFrozen: boolean) {
  const ownChanges = useOwnChanges()
  const answer = useListAnswer(listOrQueue, query)
  const laterPages = useLaterPages(listOrQueue, query, offsets)
  const currentRows = useMemo((): QueryRows | null => {
    if (answer.data === undefined) return null
    const loadedPages = [{ offset: 0, page: answer.data }, ...(answer.query === query ? laterPages : [])]
    const pages = loadedPages.map(({ offset, page }) => ({ offset, page: patchPage(ownChanges, page) }))
    return { query: answer.query, pages, total: answer.data.total }
  }, [answer, query, ownChanges, laterPages])
  const loadedRows = useFrozenRows(currentRows, isFrozen)
  return useMemo(
    () => toListRows({ ...answer, error: answer.query === query ? answer.error : null }, query, loadedRows),
    [answer, query, loadedRows],
  )
}

/** The server's last answer, which is to the previous query until the current one is answered. */
type ListAnswer = {
  query: LeadListQuery
  data: LeadPage | undefined
  /** Why the first page could not be loaded. `data` beside it is from an earlier answer. */
  error: unknown
}

function useListAnswer(listOrQueue: ListOrQueue, query: LeadListQuery): ListAnswer {
  const client = useQueryClient()
  const { data, error, failureReason, dataUpdatedAt } = useQuery({
    ...leadPageQuery(listOrQueue, query, 0),
    refetchInterval: pollUnlessLive(useIsLive()),
    staleTime: PAGE_STALE_MS,
  })
  useEffect(() => {
    if (dataUpdatedAt === 0) return
    // A new first page may have moved the rows of all pages.
    const isLaterPage = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey.at(-1) !== 0
    void refetchMatching(client, { queryKey: pageQueryKeys.pages(listOrQueue, query), predicate: isLaterPage })
  }, [client, listOrQueue, query, dataUpdatedAt])
  // While a retry waits for the time that the server has named, an empty list shows the failure.
  const isRetriedLater = failureReason instanceof ApiError && failureReason.retryAfterMs !== null
  const failure = error ?? (isRetriedLater && data === undefined ? failureReason : null)
  // The last answer stays until the next one arrives, so that nothing flickers. Each list has an `Inbox` of its own.
  const [lastAnswer, setLastAnswer] = useState<ListAnswer>({ query, data: undefined, error: null })
  const answer = useMemo(() => ({ query, data, error: failure }), [query, data, failure])
  if (data === undefined && failure === null) return lastAnswer
  if (lastAnswer !== answer) setLastAnswer(answer)
  return answer
}

const OFF_SCREEN_GC_MS = 60_000
/** A page is requested once it has been in sight this long, so that scrolling past a thousand pages requests none. */
const REQUEST_DELAY_MS = 60

function useLaterPages(listOrQueue: ListOrQueue, query: LeadListQuery, offsets: number[]) {
  const laterOffsets = useMemo(() => offsets.filter((offset) => offset !== 0), [offsets])
  const combine = useCallback(
    (results: readonly { data: LeadPage | undefined }[]) =>
      laterOffsets.flatMap((offset, index) => {
        const page = results[index]?.data
        return page ? [{ offset, page }] : []
      }),
    [laterOffsets],
  )
  return useQueries({
    queries: laterOffsets.map((offset) => {
      const { queryKey, queryFn } = leadPageQuery(listOrQueue, query, offset)
      const fetchAfterDelay: typeof queryFn = async (context) => {
        await sleep(context.signal, REQUEST_DELAY_MS)
        return queryFn(context)
      }
      return { queryKey, queryFn: fetchAfterDelay, staleTime: Infinity, gcTime: OFF_SCREEN_GC_MS }
    }),
    combine,
  })
}

/** Fetches the leads of a page that need not be on screen, with the user's own changes. */
export async function fetchItems(client: QueryClient, listOrQueue: ListOrQueue, query: LeadListQuery, offset: number) {
  const page = await client.fetchQuery({ ...leadPageQuery(listOrQueue, query, offset), staleTime: PAGE_STALE_MS })
  return patchPage(readOwnChanges(client), page).items
}

type QueryRows = LoadedRows & { query: LeadListQuery }

/** While `isFrozen`, each row stays in place and only its content changes, until another query is answered. */
function useFrozenRows(rows: QueryRows | null, isFrozen: boolean): LoadedRows | null {
  const [frozenRows, setFrozenRows] = useState<QueryRows | null>(null)
  const validRows = isFrozen && frozenRows?.query === rows?.query ? frozenRows : null
  const nextRows = isFrozen ? (validRows ?? rows) : null
  if (nextRows !== frozenRows) setFrozenRows(nextRows)
  return useMemo(() => (validRows && rows ? freezeRows(validRows, rows) : rows), [validRows, rows])
}

export type ListRows = ReturnType<typeof toListRows>

export function toListRows(answer: ListAnswer, query: LeadListQuery, loaded: LoadedRows | null) {
  return {
    ...answer,
    isOfPreviousQuery: answer.data !== undefined && answer.query !== query,
    count: loaded?.total ?? 0,
    /** The number of new leads that become rows only when the user asks for them. */
    newCount: answer.data?.waiting ?? 0,
    rowAt: (index: number) => (loaded === null ? undefined : rowAt(index, loaded)),
    indexOf: (key: LeadKey) => (loaded === null ? -1 : findLeadIndex(key, loaded)),
    items: () => loaded?.pages.flatMap(({ page }) => page.items) ?? [],
  }
}
