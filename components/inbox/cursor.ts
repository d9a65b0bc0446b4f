import { useRef, useState } from 'react'
import type { LeadItem } from '@/lib/api/leads'
import { type CursorMark, stepFrom, type Subject, subjectOf } from '@/lib/inbox/subject'
import type { ListRows } from './list-rows'
import type { OpenLead } from './opened'
import { useStableCallback } from './use-stable-callback'

export type Cursor = {
  subject: Subject
  /** The row that the server tells of the open lead, as `subjectOf` wants it. */
  told: number | null | undefined
  /** The row that the keys are at, or -1. */
  index: number
  /** The lead that the keys act on. */
  id: string | null
  /** The open lead as the list has it, if it is among the loaded rows. */
  openItem: LeadItem | undefined
  hasPrevious: boolean
  hasNext: boolean
  move: (step: 1 | -1) => void
  open: () => void
  openAt: (id: string, index: number) => void
  /** Goes to a lead further off; opens it if one is open. */
  goTo: (id: string, index: number) => void
  /** Is at nobody any more. */
  leave: () => void
}

/**
 * Where the keys are in the list. It holds on to a lead, not to a place: rows that come and go do not carry it off. While a
 * lead is open the cursor is on it, and moving opens the next one.
 */
export function useCursor(rows: ListRows, opened: OpenLead, told: number | null | undefined): Cursor {
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
    told,
    index: row,
    id,
    openItem: opened.id === null ? undefined : itemOf(opened.id, rows.rowAt(row)),
    hasPrevious: isSomewhere && stepFrom(subject, -1) >= 0,
    hasNext: isSomewhere && stepFrom(subject, 1) < rows.count,
    move,
    open: () => {
      const item = rows.rowAt(row)
      if (item !== undefined) openAt(item.id, row)
    },
    openAt: useStableCallback(openAt),
    goTo,
    leave: () => setMark(null),
  }
}

function itemOf(id: string, item: LeadItem | undefined): LeadItem | undefined {
  return item?.id === id ? item : undefined
}
