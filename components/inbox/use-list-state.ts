import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useUrlState } from '@/components/browser/url-state'
import { toast } from '@/components/ui/toast'
import { type LeadItem, type LeadListQuery, leadPlace } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import {
  firstState,
  isMarked,
  listAfter,
  type ListEvent,
  type ListState,
  markedCount,
  stepFrom,
  subjectOf,
} from '@/lib/inbox/list-state'
import type { ListRows } from './list-rows'

/** Where the user is in the list: the cursor, the open lead and the marks, by one reducer (`lib/inbox/list-state.ts`). */
export function useListState(list: LeadList, query: LeadListQuery, rows: ListRows, address: LeadAddress) {
  const filter = JSON.stringify({ list, ...query, sort: null })
  const [kept, setKept] = useState(() => firstState(address.id, rows.query, filter))
  const addressed = listAfter(kept, { is: 'addressed', id: address.id, query: rows.query })
  const serverRow = useServerRow(list, rows, addressed.openId)
  // State that follows the address and the rows is set while rendering, so that no frame shows them apart.
  const state = listAfter(listAfter(addressed, { is: 'filtered', filter }), { is: 'arrived', rows, serverRow })
  if (state !== kept) setKept(state)

  const latest = useRef(state)
  useLayoutEffect(() => {
    latest.current = state
  }, [state])
  const act = (event: ListEvent) => {
    const { openId } = latest.current
    latest.current = listAfter(latest.current, event)
    setKept(latest.current)
    if (latest.current.openId !== openId) address.follow(openId, latest.current.openId, event.is === 'closed')
  }
  const drop = useStableCallback(address.drop)
  useEffect(() => {
    if (state.isLost) drop()
  }, [state.isLost, drop])
  return {
    openId: state.openId,
    close: () => act({ is: 'closed' }),
    cursor: useCursor(state, rows, serverRow, act),
    marked: useMarked(list, query, { state, rows, act }),
  }
}

type Act = (event: ListEvent) => void

export type Cursor = ReturnType<typeof useCursor>

/** Where the keys are; while a lead is open, moving opens the next one. */
function useCursor(state: ListState, rows: ListRows, serverRow: number | null | undefined, act: Act) {
  const { openId } = state
  const subject = subjectOf(state, rows, serverRow)
  const { id, row } = subject
  /** Counts the ways taken, so that one that had to wait for its page does not come after a later one. */
  const turns = useRef(0)
  const go = (is: 'opened' | 'moved') => (next: string, index: number) => {
    turns.current += 1
    act({ is, id: next, index, query: rows.query })
  }
  const [openAt, goTo] = [useStableCallback(go('opened')), useStableCallback(go('moved'))]
  const item = rows.rowAt(row)
  const isSomewhere = row !== -1 || subject.place !== -1
  return {
    subject,
    /** The row that the keys are at, or -1. */
    index: row,
    id,
    /** The open lead as the list has it, if it is among the loaded rows. */
    openItem: openId !== null && item?.id === openId ? item : undefined,
    hasPrevious: isSomewhere && stepFrom(subject, -1) >= 0,
    hasNext: isSomewhere && stepFrom(subject, 1) < rows.count,
    move: (step: 1 | -1) => {
      const at = Math.max(0, Math.min(rows.count - 1, stepFrom(subject, step)))
      const next = rows.rowAt(at)
      if (next !== undefined) return goTo(next.id, at)
      const turn = ++turns.current
      rows.loadRow(at).then(
        (loaded) => loaded !== undefined && turn === turns.current && goTo(loaded.id, at),
        () => {},
      )
    },
    open: () => item !== undefined && openAt(item.id, row),
    openAt,
    /** Opens it if a lead is open. */
    goTo,
  }
}

export type Marked = ReturnType<typeof useMarked>

/** For more at a time the list is filtered, and all of it marked. */
const LONGEST_RANGE = 5_000

function useMarked(
  list: LeadList,
  query: LeadListQuery,
  { state: { marks }, rows, act }: { state: ListState; rows: ListRows; act: Act },
) {
  const t = useTranslations('inbox.marked')
  const { ids, isAll, anchor, isChoosing, filter } = marks
  const count = markedCount(marks, rows.count + rows.waiting)
  const toggle = (id: string, index: number) =>
    act({ is: 'toggled', id, index, shown: rows.items().map((item) => item.id) })
  const range = async (id: string, index: number) => {
    if (anchor === null) return toggle(id, index)
    const found = rows.indexOf(anchor.id)
    const from = found === -1 ? anchor.index : found
    const [first, last] = [Math.min(from, index), Math.max(from, index)]
    if (last - first >= LONGEST_RANGE) return toast(t('tooMany', { most: LONGEST_RANGE }), { tone: 'error' })
    try {
      const between =
        loadedIds(rows, first, last) ?? (await fetchedIds(list, query, first + rows.waiting, last + rows.waiting))
      act({ is: 'ranged', filter, id, index, ids: between })
    } catch {
      toast(t('rangeFailed'), { tone: 'error' })
    }
  }
  return {
    ids,
    isAll,
    count,
    has: (id: string) => isMarked(marks, id),
    /** Rows are marked by a tap; a way in for fingers. */
    isMarking: isChoosing || isAll || ids.size > 0,
    isAny: count > 0,
    mark: useStableCallback((id: string, index: number, isRange: boolean) =>
      isRange ? void range(id, index) : toggle(id, index),
    ),
    markAll: () => act({ is: 'allMarked' }),
    choose: () => act({ is: 'choosing' }),
    clear: () => act({ is: 'unmarked' }),
  }
}

function loadedIds(rows: ListRows, first: number, last: number): string[] | null {
  const items = Array.from({ length: last - first + 1 }, (_, at) => rows.rowAt(first + at))
  const ids = items.flatMap((item) => (item === undefined ? [] : [item.id]))
  return ids.length === items.length ? ids : null
}

async function fetchedIds(list: LeadList, query: LeadListQuery, first: number, last: number): Promise<string[]> {
  const { leadIds } = await import('@/lib/api/lead-ids')
  return leadIds(list, query, first, last)
}

export type LeadAddress = ReturnType<typeof useLeadAddress>

/** The open lead in the URL. Opening is a step in the history, going from lead to lead is none. */
export function useLeadAddress(search: string) {
  const { search: params, write } = useUrlState()
  const step = useRef<{ entry: string | null; search: string } | null>(null)
  /** Because another list or marks take its place: no step back, since nobody went anywhere. */
  const drop = () => {
    step.current = null
    write({ lead: [] }, 'replace')
  }
  const close = () => {
    const { current } = step
    // Going back must not bring back an older search or filter than the one on screen.
    const isOurStep = current !== null && current.entry !== null && current.entry === historyEntry()
    if (!isOurStep || current.search !== search) return drop()
    step.current = null
    window.history.back()
  }
  const open = (id: string) => {
    write({ lead: [id] }, 'push')
    step.current = { entry: historyEntry(), search }
  }
  return {
    id: params.get('lead'),
    drop,
    follow: (before: string | null, next: string | null, isClosed: boolean) => {
      if (next === null) return isClosed ? close() : drop()
      return before === null ? open(next) : write({ lead: [next] }, 'replace')
    },
  }
}

function historyEntry(): string | null {
  return 'navigation' in window ? (window.navigation.currentEntry?.key ?? null) : null
}

/** The row of an open lead that is not loaded, by the server: null when it is not in the list, undefined till then. */
function useServerRow(list: LeadList, rows: ListRows, id: string | null): number | null | undefined {
  const { data, isPrevious, query, waiting } = rows
  const isAsked = id !== null && data !== undefined && !isPrevious && rows.indexOf(id) === -1
  const onFirst = data?.items.findIndex((item: LeadItem) => item.id === id) ?? -1
  const isWhole = data !== undefined && data.items.length >= data.total
  const { data: serverRow } = useQuery({
    ...leadPlace(list, query, id ?? ''),
    enabled: isAsked && !isWhole && onFirst === -1,
  })
  if (!isAsked) return undefined
  if (onFirst !== -1) return onFirst - waiting
  if (isWhole) return null
  return typeof serverRow?.place === 'number' ? serverRow.place - waiting : serverRow?.place
}

/** A function that never changes and always does what the latest one would, so that memoised rows stay as they are. */
export function useStableCallback<Arguments extends unknown[], Answer>(callback: (...given: Arguments) => Answer) {
  const latest = useRef(callback)
  useLayoutEffect(() => {
    latest.current = callback
  })
  return useCallback((...given: Arguments) => latest.current(...given), [])
}
