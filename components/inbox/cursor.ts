import { useQuery } from '@tanstack/react-query'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useUrlState } from '@/components/browser/url-state'
import { type LeadItem, leadPlace } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import { type CursorMark, fateInNewList, givesWay, stepFrom, subjectOf } from '@/lib/inbox/subject'
import type { ListRows } from './list-rows'
import type { Marked } from './selection'

export type Cursor = ReturnType<typeof useCursor>

/** Where the keys are. It holds on to a lead, not to a place; while a lead is open, moving opens the next one. */
export function useCursor(rows: ListRows, opened: OpenLead, told: number | null | undefined) {
  const [mark, setMark] = useState<CursorMark | null>(null)
  const subject = subjectOf(opened.id, mark, told, rows)
  const { id, row } = subject
  const isMarked = mark !== null && mark.id === id && mark.index === row && mark.query === rows.query
  if (id !== null && row !== -1 && !isMarked) setMark({ id, index: row, query: rows.query })

  /** Counts the ways taken, so that one that had to wait for its page does not come after a later one. */
  const turns = useRef(0)
  const markAt = (next: string, index: number) => {
    turns.current += 1
    setMark({ id: next, index, query: rows.query })
  }
  const openAt = (next: string, index: number) => {
    markAt(next, index)
    opened.open(next)
  }
  const goTo = (next: string, index: number) => (opened.id === null ? markAt : openAt)(next, index)
  const arrive = useStableCallback(goTo)
  const move = (step: 1 | -1) => {
    const at = Math.max(0, Math.min(rows.count - 1, stepFrom(subject, step)))
    const item = rows.rowAt(at)
    if (item !== undefined) return goTo(item.id, at)
    const turn = ++turns.current
    rows.loadRow(at).then(
      (loaded) => loaded !== undefined && turn === turns.current && arrive(loaded.id, at),
      () => {},
    )
  }
  const isSomewhere = row !== -1 || subject.place !== -1
  return {
    subject,
    /** The row that the server tells of the open lead, as `subjectOf` wants it. */
    told,
    /** The row that the keys are at, or -1. */
    index: row,
    id,
    /** The open lead as the list has it, if it is among the loaded rows. */
    openItem: opened.id === null ? undefined : itemOf(opened.id, rows.rowAt(row)),
    hasPrevious: isSomewhere && stepFrom(subject, -1) >= 0,
    hasNext: isSomewhere && stepFrom(subject, 1) < rows.count,
    move,
    open: () => {
      const item = rows.rowAt(row)
      if (item !== undefined) openAt(item.id, row)
    },
    openAt: useStableCallback(openAt),
    /** Opens it if a lead is open. */
    goTo,
    leave: () => setMark(null),
  }
}

function itemOf(id: string, item: LeadItem | undefined): LeadItem | undefined {
  return item?.id === id ? item : undefined
}

export type OpenLead = ReturnType<typeof useOpenLead>

/** The open lead, in the URL. Opening is a step in the history, going from lead to lead is none. */
export function useOpenLead(search: string) {
  const { search: params, write } = useUrlState()
  const id = params.get('lead')
  const opened = useRef<{ entry: string | null; search: string } | null>(null)
  /** Because another list or marks take its place: no step back, since nobody went anywhere. */
  const drop = () => {
    opened.current = null
    write({ lead: [] }, 'replace')
  }
  return {
    id,
    open: (next: string) => {
      if (id !== null) return write({ lead: [next] }, 'replace')
      write({ lead: [next] }, 'push')
      opened.current = { entry: historyEntry(), search }
    },
    close: () => {
      const { current } = opened
      // Going back must not bring back an older search or filter than the one on screen.
      const isOurStep = current !== null && current.entry !== null && current.entry === historyEntry()
      if (!isOurStep || current.search !== search) return drop()
      opened.current = null
      window.history.back()
    },
    drop,
  }
}

function historyEntry(): string | null {
  return 'navigation' in window ? (window.navigation.currentEntry?.key ?? null) : null
}

/** The row of an open lead that is not loaded, by the server: null when it is not in the list, undefined till then. */
export function useToldRow(list: LeadList, rows: ListRows, id: string | null): number | null | undefined {
  const { data, isPrevious, query, waiting } = rows
  const isAsked = id !== null && data !== undefined && !isPrevious && rows.indexOf(id) === -1
  const onFirst = data?.items.findIndex((item) => item.id === id) ?? -1
  const isWhole = data !== undefined && data.items.length >= data.total
  const { data: told } = useQuery({
    ...leadPlace(list, query, id ?? ''),
    enabled: isAsked && !isWhole && onFirst === -1,
  })
  if (!isAsked) return undefined
  if (onFirst !== -1) return onFirst - waiting
  if (isWhole) return null
  return typeof told?.place === 'number' ? told.place - waiting : told?.place
}

type Parts = { opened: OpenLead; rows: ListRows; cursor: Cursor; marked: Marked }

/** Only one at a time: marks close the open lead, a lead opened since clears them, and so does a list without it. */
export function useOneSubject({ opened, rows, cursor, marked }: Parts): void {
  const seen = useRef({ id: opened.id, query: rows.query })
  useLayoutEffect(() => {
    const before = seen.current
    const way = givesWay(marked.isAny, opened.id, before.id)
    if (way === 'marks') marked.clear()
    if (way === 'lead') opened.drop()
    if (opened.id === null || opened.id !== before.id) {
      seen.current = { id: opened.id, query: rows.query }
    } else if (before.query !== rows.query && !rows.isPrevious) {
      const fate = fateInNewList(cursor.subject, cursor.told)
      if (fate === 'waits') return
      seen.current = { id: opened.id, query: rows.query }
      if (fate === 'stays') return
      cursor.leave()
      opened.drop()
    }
  })
}

/** A function that never changes and always does what the latest one would, so that memoised rows stay as they are. */
export function useStableCallback<Arguments extends unknown[], Answer>(callback: (...given: Arguments) => Answer) {
  const latest = useRef(callback)
  useLayoutEffect(() => {
    latest.current = callback
  })
  return useCallback((...given: Arguments) => latest.current(...given), [])
}
