'use client'

import { useState } from 'react'
import { useStableCallback } from './use-stable-callback'
import type { LeadItem } from '@/lib/api/lead-page'
import type { ListRows } from './use-list-rows'
import type { OpenLead } from './use-open-lead'

export type Cursor = {
  /** The row that the keys are at, or -1. */
  index: number
  /** The lead there. */
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
}

/**
 * Where the keys are in the list. It holds on to a lead, not to a place: rows that come and go do not carry it off. While a
 * lead is open the cursor is on it, and moving opens the next one; when it has left the list, its place stays the cursor's.
 */
export function useCursor(rows: ListRows, opened: OpenLead): Cursor {
  const [mark, setMark] = useState<{ id: string; index: number } | null>(null)
  const id = opened.id ?? mark?.id ?? null
  const found = id === null ? -1 : rows.indexOf(id)
  const remembered = mark !== null && mark.id === id ? Math.min(mark.index, rows.count - 1) : -1
  const index = found === -1 ? remembered : found
  if (id !== null && found !== -1 && (mark?.id !== id || mark.index !== found)) setMark({ id, index: found })

  const openAt = (next: string, at: number) => {
    setMark({ id: next, index: at })
    opened.open(next)
  }
  const target = (step: 1 | -1) => (found === -1 && index !== -1 && step === 1 ? index : index + step)
  const move = (step: 1 | -1) => {
    const at = Math.max(0, Math.min(rows.count - 1, target(step)))
    const item = rows.rowAt(at)
    if (item === undefined) return
    if (opened.id === null) setMark({ id: item.id, index: at })
    else openAt(item.id, at)
  }
  return {
    index,
    id,
    openItem: opened.id === null || found === -1 ? undefined : rows.rowAt(found),
    hasPrevious: index !== -1 && target(-1) >= 0,
    hasNext: index !== -1 && target(1) < rows.count,
    move,
    open: () => {
      const item = index === -1 ? undefined : rows.rowAt(index)
      if (item !== undefined) openAt(item.id, index)
    },
    openAt: useStableCallback(openAt),
    goTo: (next, at) => (opened.id === null ? setMark({ id: next, index: at }) : openAt(next, at)),
  }
}
