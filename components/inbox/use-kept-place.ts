'use client'

import { useLayoutEffect, useRef, type RefObject } from 'react'
import { ROW_HEIGHT } from './lead-row'
import type { ListRows } from './use-list-rows'

type KeptPlace = {
  listKey: string
  rows: ListRows
  scroller: RefObject<HTMLDivElement | null>
  isOpen: boolean
}

/**
 * When rows come or go above what is on screen (leads in another order than newest first, an erased lead, one that no
 * longer matches), scrolls along, so that the rows a person looks at stay under the eye.
 */
export function useKeptPlace({ listKey, rows, scroller, isOpen }: KeptPlace): void {
  const kept = useRef<{ listKey: string; id: string; index: number } | null>(null)
  useLayoutEffect(() => {
    const element = scroller.current
    const before = kept.current
    const moved = before === null || before.listKey !== listKey ? 0 : movedBy(before, rows)
    if (element !== null && before !== null && moved !== 0 && (element.scrollTop > 0 || isOpen)) {
      element.scrollBy(0, moved * ROW_HEIGHT)
      kept.current = { ...before, index: before.index + moved }
      return
    }
    const first = Math.ceil((element?.scrollTop ?? 0) / ROW_HEIGHT)
    const id = rows.rowAt(first)?.id
    kept.current = id === undefined ? null : { listKey, id, index: first }
  })
}

function movedBy({ id, index }: { id: string; index: number }, rows: ListRows): number {
  if (rows.rowAt(index)?.id === id) return 0
  const now = rows.indexOf(id)
  return now === -1 ? 0 : now - index
}
