'use client'

import { useLayoutEffect, useRef, type RefObject } from 'react'
import { rowAtTop, topOf, type RowLayout } from '@/lib/inbox/row-layout'
import type { ListRows } from './use-list-rows'

type KeptPlace = {
  listKey: string
  rows: ListRows
  layout: RowLayout
  scroller: RefObject<HTMLDivElement | null>
  isOpen: boolean
}

type Kept = { listKey: string; id: string; index: number; top: number }

/**
 * When rows come or go above what is on screen (leads in another order than newest first, an erased lead, one that no
 * longer matches), scrolls along, so that the rows a person looks at stay under the eye.
 */
export function useKeptPlace({ listKey, rows, layout, scroller, isOpen }: KeptPlace): void {
  const kept = useRef<Kept | null>(null)
  useLayoutEffect(() => {
    const element = scroller.current
    const before = kept.current
    const moved = before === null || before.listKey !== listKey ? null : movedTo(before, rows, layout)
    if (element !== null && before !== null && moved !== null && (element.scrollTop > 0 || isOpen)) {
      element.scrollBy(0, moved.top - before.top)
      kept.current = { ...before, ...moved }
      return
    }
    const first = firstWhole(element?.scrollTop ?? 0, layout)
    const id = rows.rowAt(first)?.id
    kept.current = id === undefined ? null : { listKey, id, index: first, top: topOf(first, layout) }
  })
}

function movedTo({ id, index, top }: Kept, rows: ListRows, layout: RowLayout): Pick<Kept, 'index' | 'top'> | null {
  const now = rows.rowAt(index)?.id === id ? index : rows.indexOf(id)
  if (now === -1) return null
  const place = { index: now, top: topOf(now, layout) }
  return place.top === top ? null : place
}

function firstWhole(scrollTop: number, layout: RowLayout): number {
  const row = rowAtTop(scrollTop, layout)
  return topOf(row, layout) < scrollTop ? row + 1 : row
}
