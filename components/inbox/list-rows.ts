import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useIsLive } from '@/components/app/live'
import { useOwnChanges } from '@/components/app/use-triage'
import { isSame } from '@/components/ui/shown-state'
import { type LeadItem, pageQueryKeys, type LeadListQuery, leadPageQuery, type LeadPage, type ListOrQueue } from '@/lib/api/leads'
import { refetchMatching, refreshOptions } from '@/lib/api/polling'
import { ApiError, sleep } from '@/lib/api/send'
import { indexOfLead, freezeRows, type LoadedRows, rowAt } from '@/lib/inbox/loaded-rows'
import { patchPage } from '@/lib/inbox/own-changes'
import type { LeadKey } from '@/lib/leads/lead-key'

/** The rows that came with the page are not fetched a second time. */
export const JUST_READ_MS = 5_000
const OFF_SCREEN_MS = 60_000
/** Rows are requested once they have stayed on screen this long: scrolling past a thousand pages fetches none of them. */
const DELAY_MS = 60

/** The server's latest answer about a list. */
type Outcome = {
  /** Whose rows these are: behind the query asked for while that one's are on their way. */
  query: LeadListQuery
  /** The first page; undefined until there is one, and when it could not be fetched. */
  data: LeadPage | undefined
  /** Why the last request failed. With `data` beside it, the screen shows an earlier answer. */
  error: unknown
  /** Whether the same query has had rows before. */
  hadSome: boolean
}

/** The first page, fetched again as the data gets newer, and those at `offsets`. New leads wait; while `isHeld`, no row moves. */
export function useListRows(place: ListOrQueue, query: LeadListQuery, offsets: readonly number[], isHeld: boolean): ListRows {
  const client = useQueryClient()
  const own = useOwnChanges()
  const { data, error, failureReason, dataUpdatedAt } = useQuery({
    ...leadPageQuery(place, query, 0),
    ...refreshOptions(useIsLive()),
    staleTime: JUST_READ_MS,
  })
  useEffect(() => {
    if (dataUpdatedAt === 0) return
    const isBeyond = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey.at(-1) !== 0
    void refetchMatching(client, { queryKey: pageQueryKeys.pages(place, query), predicate: isBeyond })
  }, [client, place, query, dataUpdatedAt])

  const isToldToWait = failureReason instanceof ApiError && failureReason.retryAfterMs !== null
  const failure = error ?? (isToldToWait && data === undefined ? failureReason : null)
  // The last outcome stays while the next is on its way, or the screen would flicker at every filter and every try.
  const [last, setLast] = useState<Outcome>({ query, data: undefined, error: null, hadSome: false })
  const hadSome = (last.query === query && last.hadSome) || (data !== undefined && data.total > 0)
  const next = data === undefined && failure === null ? last : { query, data, error: failure, hadSome }
  const outcome = isSame(last, next) ? last : next
  if (outcome !== last) setLast(outcome)

  const beyond = useMemo(() => offsets.filter((offset) => offset !== 0), [offsets])
  const pagesBeyond = useQueries({
    queries: beyond.map((offset) => {
      const { queryKey, queryFn } = leadPageQuery(place, query, offset)
      const fetchLater = async (context: Parameters<typeof queryFn>[0]) => {
        await sleep(context.signal, DELAY_MS)
        return queryFn(context)
      }
      return { queryKey, queryFn: fetchLater, staleTime: Infinity, gcTime: OFF_SCREEN_MS }
    }),
    combine: pagesOf,
  })
  const now = useMemo((): Moment | null => {
    if (outcome.data === undefined) return null
    const later = beyond.map((offset, index) => ({ offset, page: pagesBeyond[index] }))
    const loaded = [{ offset: 0, page: outcome.data }, ...(outcome.query === query ? later : [])]
    const pages = loaded.flatMap(({ offset, page }) => (page ? [{ offset, page: patchPage(own, page) }] : []))
    return { query: outcome.query, pages, total: outcome.data.total }
  }, [outcome, query, own, beyond, pagesBeyond])

  const [held, setHeld] = useState<Moment | null>(null)
  const kept = isHeld && held?.query === now?.query ? held : null
  const nextHeld = isHeld ? (kept ?? now) : null
  if (nextHeld !== held) setHeld(nextHeld)
  return useMemo(() => {
    const shown = kept === null || now === null || kept === now ? now : freezeRows(kept, now)
    return rowsOf({ ...outcome, error: outcome.query === query ? outcome.error : null }, query, shown)
  }, [outcome, query, kept, now])
}

type Moment = LoadedRows & { query: LeadListQuery }

const pagesOf = (results: readonly { data: LeadPage | undefined }[]) => results.map(({ data }) => data)

export type ListRows = ReturnType<typeof rowsOf>

/** The rows as parts of the screen read them; `wanted` is the query that is asked for. */
export function rowsOf(outcome: Outcome, wanted: LeadListQuery, shown: LoadedRows | null) {
  return {
    ...outcome,
    isPrevious: outcome.data !== undefined && outcome.query !== wanted,
    count: shown?.total ?? 0,
    /** How many new leads wait: the server leaves them out until they are wanted. */
    waiting: outcome.data?.waiting ?? 0,
    rowAt: (index: number) => (shown === null ? undefined : rowAt(index, shown)),
    indexOf: (key: LeadKey) => (shown === null ? -1 : indexOfLead(key, shown)),
    items: (): readonly LeadItem[] => shown?.pages.flatMap(({ page }) => page.items) ?? [],
  }
}
