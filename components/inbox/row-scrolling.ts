import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { rowAtTop, type RowLayout, type RowRange, scrollTopFor, topOf, visibleRows } from '@/lib/inbox/row-layout'
import { offsetsOf } from '@/lib/inbox/waiting-rows'
import type { InboxState } from './use-inbox'

export type VisibleRows = RowRange & { isScrolled: boolean }

/**
 * Which rows are in sight; the pages that they lie on are requested. Scrolls itself where it must: back to the top for another
 * list, to the cursor, and along with rows that move.
 */
export function useRowScrolling(inbox: InboxState, layout: RowLayout): VisibleRows {
  const { scroller } = inbox
  const visible = useVisibleRows(scroller, layout)
  useScrollAnchor(inbox, layout)
  useNeededPages(inbox, visible)
  useListTop(inbox)
  useCursorInSight(inbox, layout)
  return visible
}

/** What the first HTML shows rows for, before the browser has measured anything. */
const FIRST_HEIGHT = 900
/** Rows drawn beyond those in sight, once somebody scrolls: until then they would only slow the first page down. */
const SPARE = 8

/**
 * The rows that the scroller shows now. All rows are of one height, so this is arithmetic, and it renders again only when
 * another row comes in; a general virtualiser, which measures, would cost the browser 10 kB.
 */
function useVisibleRows(scroller: RefObject<HTMLElement | null>, { count, fresh }: RowLayout): VisibleRows {
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
  // A shorter list is drawn before the browser has reported its new scroll position.
  return { ...seen, last: Math.min(seen.last, count - 1) }
}

function look(scrollTop: number, height: number, layout: RowLayout, spare: number): VisibleRows {
  return { ...visibleRows(scrollTop, height, layout, spare), isScrolled: scrollTop > 0 }
}

function isSame(a: VisibleRows, b: VisibleRows): boolean {
  return a.first === b.first && a.last === b.last && a.isScrolled === b.isScrolled
}

type Anchor = { listKey: string; id: string; index: number; top: number }

/**
 * When rows come or go above what is on screen (leads in another order than newest first, an erased lead, one that no
 * longer matches), scrolls along, so that the rows a person looks at stay under the eye.
 */
function useScrollAnchor({ listKey, rows, scroller, openId }: InboxState, layout: RowLayout): void {
  const anchor = useRef<Anchor | null>(null)
  useLayoutEffect(() => {
    const element = scroller.current
    const before = anchor.current
    const moved = before === null || before.listKey !== listKey ? null : movedTo(before, rows, layout)
    if (element !== null && before !== null && moved !== null && (element.scrollTop > 0 || openId !== null)) {
      element.scrollBy(0, moved.top - before.top)
      anchor.current = { ...before, ...moved }
      return
    }
    const first = firstWhole(element?.scrollTop ?? 0, layout)
    const id = rows.rowAt(first)?.id
    anchor.current = id === undefined ? null : { listKey, id, index: first, top: topOf(first, layout) }
  })
}

function movedTo(
  { id, index, top }: Anchor,
  rows: InboxState['rows'],
  layout: RowLayout,
): Pick<Anchor, 'index' | 'top'> | null {
  const now = rows.rowAt(index)?.id === id ? index : rows.indexOf(id)
  if (now === -1) return null
  const place = { index: now, top: topOf(now, layout) }
  return place.top === top ? null : place
}

function firstWhole(scrollTop: number, layout: RowLayout): number {
  const row = rowAtTop(scrollTop, layout)
  return topOf(row, layout) < scrollTop ? row + 1 : row
}

/** Tells the inbox which pages are needed, and whether the list is scrolled: then somebody reads it. */
function useNeededPages({ rows, view }: InboxState, { first, last, isScrolled }: VisibleRows): void {
  const { count, waiting } = rows
  const { setOffsets, setScrolled } = view
  const asked = useRef('')
  useEffect(() => {
    const offsets = offsetsOf(first, last, waiting, count + waiting)
    if (asked.current === offsets.join()) return
    asked.current = offsets.join()
    setOffsets(offsets)
  }, [first, last, waiting, count, setOffsets])
  useEffect(() => setScrolled(isScrolled), [isScrolled, setScrolled])
}

/** Begins another list at its top. */
function useListTop({ listKey, scroller }: InboxState): void {
  const shownKey = useRef(listKey)
  useEffect(() => {
    if (shownKey.current === listKey) return
    shownKey.current = listKey
    scroller.current?.scrollTo({ top: 0 })
  }, [listKey, scroller])
}

/** Only a cursor that went to another lead: one that moves because rows came must not pull the list along. */
function useCursorInSight({ cursor: { id, index }, scroller }: InboxState, { count, fresh }: RowLayout): void {
  const shownId = useRef<string | null>(null)
  useEffect(() => {
    const element = scroller.current
    if (element === null || index === -1 || shownId.current === id) return
    shownId.current = id
    element.scrollTo({ top: scrollTopFor(index, element.scrollTop, element.clientHeight, { count, fresh }) })
  }, [index, id, scroller, count, fresh])
}
