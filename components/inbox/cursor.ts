import { useRef, useState } from 'react'
import { useUrlState } from '@/components/browser/url-state'
import type { LeadItem } from '@/lib/api/leads'
import type { ListRows } from './list-rows'
import { useStableCallback } from './use-stable-callback'

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

type OpenLead = { id: string | null; open: (id: string) => void; close: () => void }

/**
 * The open lead, in the URL. Opening is a step in the history and closing takes it back, so that the back button of a phone
 * closes; going from lead to lead is none, or `j` forty times would be forty steps.
 */
export function useOpenLead(search: string): OpenLead {
  const { search: params, write } = useUrlState()
  const id = params.get('lead')
  const opened = useRef<{ entry: string | null; search: string } | null>(null)
  return {
    id,
    open: (next) => {
      if (id !== null) return write({ lead: [next] }, 'replace')
      write({ lead: [next] }, 'push')
      opened.current = { entry: historyEntry(), search }
    },
    close: () => {
      const { current } = opened
      opened.current = null
      // Going back must not bring back an older search or filter than the one on screen.
      const isOurStep = current !== null && current.entry !== null && current.entry === historyEntry()
      if (isOurStep && current.search === search) window.history.back()
      else write({ lead: [] }, 'replace')
    },
  }
}

function historyEntry(): string | null {
  return 'navigation' in window ? (window.navigation.currentEntry?.key ?? null) : null
}
