'use client'

import { keepPreviousData, useQueries, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useIsLive } from '@/components/shell/live'
import { isWorthRetrying } from '@/lib/api/api-error'
import { leadKeys, type LeadItem, type LeadListQuery, type LeadPage } from '@/lib/api/lead-page'
import { refreshOptions } from '@/lib/api/refresh-interval'
import { firstHeldRows, letIn, withHead, type HeldRows } from '@/lib/inbox/held-rows'
import { indexOfLead, rowAt, type LoadedPage } from '@/lib/inbox/row-window'
import { settledQuery } from './settled-query'
import type { ListDescription } from './lists'

export type ListRows = {
  /** The first page; undefined until there is one, and when it could not be had. */
  data: LeadPage | undefined
  /** The rows are still those of the filter before. */
  isPassing: boolean
  /** Why the last asking failed. Beside `data`: what is on screen is what was had before. */
  error: unknown
  refetch: () => void
  /** Rows on screen, without those held back. */
  count: number
  held: number
  rowAt: (index: number) => LeadItem | undefined
  indexOf: (id: string) => number
  /** Every loaded row, in no order. */
  items: () => readonly LeadItem[]
  letIn: () => void
}

const OFF_SCREEN_MS = 60_000
/** The rows that came with the page are not asked for a second time. */
const JUST_READ_MS = 5_000

/**
 * The list as far as it is on screen: its first page, asked again as the data gets newer, and the pages at `offsets`.
 * `isReading` decides whether new leads are held back or come straight in.
 */
export function useListRows(
  description: ListDescription,
  query: LeadListQuery,
  offsets: readonly number[],
  isReading: boolean,
): ListRows {
  const head = useQuery({
    ...description.page(query, 0),
    ...refreshOptions(useIsLive()),
    staleTime: JUST_READ_MS,
    placeholderData: keepPreviousData,
    retry: (failures, error) => failures < 2 && isWorthRetrying(error),
  })
  const [held, letHeldIn] = useHeldRows(head, query, isReading)
  const pages = usePages(description, query, offsets, head)
  const error = useLastError(head, query)
  const hasOwnData = head.data !== undefined && !head.isPlaceholderData
  const isLost = error !== null && !hasOwnData
  return {
    data: isLost ? undefined : head.data,
    isPassing: head.isPlaceholderData,
    error,
    refetch: () => void head.refetch(),
    count: held === null || isLost ? 0 : held.total - held.held,
    held: held === null || isLost ? 0 : held.held,
    rowAt: useCallback((index) => (held === null ? undefined : rowAt(index, pages, held)), [pages, held]),
    indexOf: useCallback((id) => (held === null ? -1 : indexOfLead(id, pages, held)), [pages, held]),
    items: useCallback(() => pages.flatMap(({ page }) => page.items), [pages]),
    letIn: letHeldIn,
  }
}

/** The error stays while the list is asked for again, or the screen would flicker between the two at every try. */
function useLastError(
  { error, data, isPlaceholderData }: UseQueryResult<LeadPage, unknown>,
  query: LeadListQuery,
): unknown {
  const [last, setLast] = useState<{ error: unknown; query: LeadListQuery } | null>(null)
  if (error !== null && last?.error !== error) setLast({ error, query })
  const hasOwnData = data !== undefined && !isPlaceholderData
  return error ?? (last?.query === query && !hasOwnData ? last.error : null)
}

function useHeldRows(
  { data, isPlaceholderData }: UseQueryResult<LeadPage, unknown>,
  query: LeadListQuery,
  isReading: boolean,
): [HeldRows | null, () => void] {
  const [seen, setSeen] = useState<{ data: LeadPage; query: LeadListQuery; held: HeldRows } | null>(() =>
    data === undefined ? null : { data, query, held: firstHeldRows(data) },
  )
  // State that follows data is set while rendering, so that no frame shows the new rows in the old places.
  if (data !== undefined && !isPlaceholderData && seen?.data !== data) {
    setSeen({ data, query, held: next(seen, data, query, isReading) })
  }
  const letHeldIn = () => setSeen((before) => before && { ...before, held: letIn(before.held, before.data) })
  return [seen?.held ?? null, letHeldIn]
}

function next(
  seen: { query: LeadListQuery; held: HeldRows } | null,
  data: LeadPage,
  query: LeadListQuery,
  isReading: boolean,
): HeldRows {
  if (seen === null || seen.query !== query) return firstHeldRows(data)
  const held = withHead(seen.held, data, query.sort)
  return isReading ? held : letIn(held, data)
}

/** The loaded pages among `offsets`, with the first one; asked again whenever the first one was. */
function usePages(
  description: ListDescription,
  query: LeadListQuery,
  offsets: readonly number[],
  head: UseQueryResult<LeadPage, unknown>,
): readonly LoadedPage[] {
  const client = useQueryClient()
  const beyond = useMemo(() => offsets.filter((offset) => offset !== 0), [offsets])
  const combine = useCallback(
    (results: UseQueryResult<LeadPage, unknown>[]) =>
      results.flatMap(({ data }, at) => (data === undefined ? [] : [{ offset: beyond[at] ?? 0, page: data }])),
    [beyond],
  )
  // The same array while it asks the same: a new one would make the observers start over at every render.
  const queries = useMemo(
    () =>
      beyond.map((offset) => ({
        ...settledQuery(description.page(query, offset)),
        staleTime: Infinity,
        gcTime: OFF_SCREEN_MS,
      })),
    [beyond, description, query],
  )
  const loaded = useQueries({ queries, combine })
  const { dataUpdatedAt, data } = head
  useEffect(() => {
    if (dataUpdatedAt === 0) return
    const isBeyond = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey.at(-1) !== 0
    const queryKey = leadKeys.pages(description.list, query)
    void client.invalidateQueries({ queryKey, predicate: isBeyond })
  }, [client, description, query, dataUpdatedAt])
  return useMemo(() => (data === undefined ? loaded : [{ offset: 0, page: data }, ...loaded]), [data, loaded])
}
