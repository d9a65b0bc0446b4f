import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { lazyCode } from '@/components/browser/lazy-code'
import { useUrlState } from '@/components/browser/url-state'
import { isQueue, keyInAddress, type LeadListQuery, leadPlace, type Place } from '@/lib/api/leads'
import { keyOf } from '@/lib/inbox/lead-text'
import { type LeadKey, refOf } from '@/lib/leads/lead-key'
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
export function useListState(place: Place, query: LeadListQuery, rows: ListRows, address: LeadAddress) {
  const filter = JSON.stringify({ place, ...query, sort: null })
  const [kept, setKept] = useState(() => firstState(address.id, rows.query, filter))
  const addressed = listAfter(kept, { is: 'addressed', id: address.id, query: rows.query })
  const serverRow = useServerRow(place, rows, addressed.openId)
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
    marked: useMarked(place, { state, rows, act }),
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
  const go = (is: 'opened' | 'moved') => (next: LeadKey, index: number) => {
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
    openItem: openId !== null && item !== undefined && keyOf(item) === openId ? item : undefined,
    hasPrevious: isSomewhere && stepFrom(subject, -1) >= 0,
    hasNext: isSomewhere && stepFrom(subject, 1) < rows.count,
    move: (step: 1 | -1) => {
      const at = Math.max(0, Math.min(rows.count - 1, stepFrom(subject, step)))
      const next = rows.rowAt(at)
      if (next !== undefined) return goTo(keyOf(next), at)
      const turn = ++turns.current
      rows.loadRow(at).then(
        (loaded) => loaded !== undefined && turn === turns.current && goTo(keyOf(loaded), at),
        () => {},
      )
    },
    open: () => item !== undefined && openAt(keyOf(item), row),
    openAt,
    /** Opens it if a lead is open. */
    goTo,
  }
}

export type Marked = ReturnType<typeof useMarked>

function useMarked(place: Place, { state: { marks }, rows, act }: { state: ListState; rows: ListRows; act: Act }) {
  const { ids, isAll, anchor, isChoosing, filter } = marks
  const count = markedCount(marks, rows.count + rows.above)
  const keysOf = useKeysOf(place, rows)
  const toggle = (id: LeadKey, index: number) => act({ is: 'toggled', id, index, shown: rows.items().map(keyOf) })
  const markBetween = async (id: LeadKey, index: number, from: number) => {
    const keys = await keysOf(Math.min(from, index), Math.max(from, index))
    if (keys !== undefined) act({ is: 'ranged', filter, id, index, ids: keys })
  }
  const range = (id: LeadKey, index: number) => {
    if (anchor === null) return toggle(id, index)
    const found = rows.indexOf(anchor.id)
    void markBetween(id, index, found === -1 ? anchor.index : found)
  }
  const first = rows.rowAt(0)
  return {
    ids,
    isAll,
    count,
    has: (id: LeadKey) => isMarked(marks, id),
    /** Rows are marked by a tap; a way in for fingers. */
    isMarking: isChoosing || isAll || ids.size > 0,
    isAny: count > 0,
    mark: useStableCallback((id: LeadKey, index: number, isRange: boolean) =>
      isRange ? range(id, index) : toggle(id, index),
    ),
    /** Of a list what matches is marked, whatever it is; of a queue the leads that are shown. */
    markAll: () => {
      if (!isQueue(place)) return act({ is: 'allMarked' })
      if (first !== undefined) void markBetween(keyOf(first), 0, rows.count - 1)
    },
    /** All that the list shows. Undefined where they are too many or cannot be read, which the user is told. */
    allKeys: () => keysOf(0, rows.count - 1),
    choose: () => act({ is: 'choosing' }),
    clear: () => act({ is: 'unmarked' }),
  }
}

function useKeysOf(place: Place, rows: ListRows) {
  const t = useTranslations('inbox.marked')
  return async (first: number, last: number) => (await severalCode.want())?.keysBetween({ place, rows, t }, first, last)
}

/** What is done with several leads at once. */
export const severalCode = lazyCode(() => import('./leads-of-list'))

export type LeadAddress = ReturnType<typeof useLeadAddress>

/** The open lead in the URL, in a queue with its kind. Opening is a step in the history, going from lead to lead is none. */
export function useLeadAddress(place: Place, search: string) {
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
  const written = (key: LeadKey) => ({ lead: [isQueue(place) ? key : refOf(key).id] })
  const open = (key: LeadKey) => {
    write(written(key), 'push')
    step.current = { entry: historyEntry(), search }
  }
  return {
    id: keyInAddress(place, params.get('lead')),
    drop,
    follow: (before: LeadKey | null, next: LeadKey | null, isClosed: boolean) => {
      if (next === null) return isClosed ? close() : drop()
      return before === null ? open(next) : write(written(next), 'replace')
    },
  }
}

function historyEntry(): string | null {
  return 'navigation' in window ? (window.navigation.currentEntry?.key ?? null) : null
}

/** The row of an open lead that is not loaded, by the server: null when it is not in the list, undefined till then. */
function useServerRow(place: Place, rows: ListRows, key: LeadKey | null): number | null | undefined {
  const { data, isPrevious, query, above } = rows
  const isAsked = key !== null && data !== undefined && !isPrevious && rows.indexOf(key) === -1
  const onFirst = data?.items.findIndex((item) => keyOf(item) === key) ?? -1
  const isWhole = data !== undefined && data.items.length >= data.total
  const { data: serverRow } = useQuery({
    ...leadPlace(place, query, key ?? NO_LEAD),
    enabled: isAsked && !isWhole && onFirst === -1,
  })
  if (!isAsked) return undefined
  if (onFirst !== -1) return onFirst - above
  if (isWhole) return null
  return typeof serverRow?.place === 'number' ? serverRow.place - above : serverRow?.place
}

export const NO_LEAD = 'asked-question '

/** A function that never changes and always does what the latest one would, so that memoised rows stay as they are. */
export function useStableCallback<Arguments extends unknown[], Answer>(callback: (...given: Arguments) => Answer) {
  const latest = useRef(callback)
  useLayoutEffect(() => {
    latest.current = callback
  })
  return useCallback((...given: Arguments) => latest.current(...given), [])
}
