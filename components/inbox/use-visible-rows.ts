'use client'

import { useEffect, useRef, useState, type RefObject } from 'react'
import { visibleRows, type RowLayout, type RowRange } from '@/lib/inbox/row-layout'

/** What the first HTML shows rows for, before the browser has measured anything. */
const FIRST_HEIGHT = 900
/** Rows beyond the sight, once somebody scrolls: until then they would only make the page slower to answer. */
const SPARE = 8

export type VisibleRows = RowRange & { isScrolled: boolean }

/**
 * The rows that the scroller shows now. All rows are of one height, so this is arithmetic, and it renders again only when
 * another row comes in; a general virtualiser, which measures, would cost the browser 10 kB.
 */
export function useVisibleRows(scroller: RefObject<HTMLElement | null>, { count, fresh }: RowLayout): VisibleRows {
  const [seen, setSeen] = useState(() => look(0, FIRST_HEIGHT, { count, fresh }, 0))
  const spare = useRef(0)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const update = () => {
      if (element.scrollTop > 0) spare.current = SPARE
      const next = look(element.scrollTop, element.clientHeight, { count, fresh }, spare.current)
      setSeen((before) => (isSame(before, next) ? before : next))
    }
    const observer = new ResizeObserver(update)
    observer.observe(element)
    element.addEventListener('scroll', update, { passive: true })
    update()
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', update)
    }
  }, [scroller, count, fresh])
  // A shorter list is drawn before the browser has told where it is scrolled to.
  return { ...seen, last: Math.min(seen.last, count - 1) }
}

function look(scrollTop: number, height: number, layout: RowLayout, spare: number): VisibleRows {
  return { ...visibleRows(scrollTop, height, layout, spare), isScrolled: scrollTop > 0 }
}

function isSame(a: VisibleRows, b: VisibleRows): boolean {
  return a.first === b.first && a.last === b.last && a.isScrolled === b.isScrolled
}
