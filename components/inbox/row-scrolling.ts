import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { toLeadKey } from '@/lib/inbox/lead-text'
import { listPageOffsets } from '@/lib/inbox/loaded-rows'
import { findRowAt, findRowTop, findVisibleRows, type RowLayout, type RowRange } from '@/lib/inbox/row-layout'
import type { LeadKey } from '@/lib/leads/lead-key'
import { useInbox } from './use-inbox'

/** Requests the pages in sight, keeps the scroll position, and returns the rows to render. */
export function useRowScrolling(layout: RowLayout): RowRange {
  const { actions } = useInbox()
  const renderedRange = useRenderedRows(actions.scroller, layout)
  useRequestedPages(renderedRange)
  useScrollAnchor(layout)
  useScrollToCursor()
  return renderedRange
}

function useRequestedPages({ first, last }: RowRange): void {
  const { rows, serverRow, cursor, actions } = useInbox()
  const { setOffsets } = actions
  const { row, origin } = cursor
  // The page of a lead that has left stays requested; otherwise it would be dropped and requested in turn, for ever.
  const cursorRow = row === -1 ? (serverRow ?? origin) : row
  useEffect(() => {
    const cursorOffsets = cursorRow === -1 ? [] : listPageOffsets(cursorRow, cursorRow, rows.count)
    setOffsets([...new Set([...listPageOffsets(first, last, rows.count), ...cursorOffsets])])
  }, [first, last, rows.count, cursorRow, setOffsets])
}

/** Keeps the first whole row on screen where it is when rows come or go above it. Another list begins at its top. */
function useScrollAnchor(layout: RowLayout): void {
  const { rows, filters, cursor, actions } = useInbox()
  // A list counts as another one, too, when the user asks for its new leads.
  const listId = `${JSON.stringify(filters.query)} ${rows.data?.until}`
  const lastListId = useRef(listId)
  const anchor = useRef<{ key: LeadKey; top: number } | null>(null)
  // The effect runs after each render, because rows come and go by any of them.
  useLayoutEffect(() => {
    if (actions.scroller.current === null) return
    const { top, scrollTo } = measureViewport(actions.scroller.current)
    let scrollTop = top
    // A list whose top is in sight (`top` < 0) stays.
    if (lastListId.current !== listId) scrollTop = Math.min(0, top)
    // At the top new rows come into sight, unless they would move an open lead.
    else if (anchor.current !== null && (top > 0 || cursor.openKey !== null)) {
      const index = rows.indexOf(anchor.current.key)
      if (index !== -1) scrollTop += findRowTop(index, layout) - anchor.current.top
    }
    if (scrollTop !== top) scrollTo(scrollTop)
    lastListId.current = listId
    const topRow = findRowAt(scrollTop, layout)
    const index = findRowTop(topRow, layout) < scrollTop ? topRow + 1 : topRow
    const item = rows.rowAt(index)
    anchor.current = item === undefined ? null : { key: toLeadKey(item), top: findRowTop(index, layout) }
  })
}

/** Scrolls to the cursor when it goes to another lead, but not to the lead that the list opens by itself. */
function useScrollToCursor(): void {
  const { listState, areRowsFrozen, cursor, actions } = useInbox()
  const { key, row } = cursor
  const lastKey = useRef<LeadKey | null>(null)
  useEffect(() => {
    if (row === -1 || lastKey.current === key) return
    lastKey.current = key
    // A row that the user has pressed stays under the pointer.
    if (!listState.position?.isAutomatic && !areRowsFrozen) actions.scrollToCursor()
  })
}

/** The server renders rows for this height, because it does not know the window's. */
const SERVER_HEIGHT_REM = 56
/** This many rows out of sight are rendered once the user scrolls; before that they would delay the first screen. */
const OVERSCAN_ROWS = 8

/** Computes the rows to render. All have one height, so no library is needed, which would cost 10 kB. */
function useRenderedRows(scroller: RefObject<HTMLElement | null>, layout: RowLayout): RowRange {
  const [range, setRange] = useState(() => findVisibleRows(0, SERVER_HEIGHT_REM, layout, 0))
  const overscanCount = useRef(0)
  const updateRange = useEffectEvent(() => {
    if (scroller.current === null) return
    const { top, height } = measureViewport(scroller.current)
    if (top > 0) overscanCount.current = OVERSCAN_ROWS
    const { first, last } = findVisibleRows(top, height, layout, overscanCount.current)
    setRange((previous) => {
      // Until the user scrolls, rows below the screen stay, because removing them would delay the page.
      const isCovered = overscanCount.current === 0 && previous.first <= first && previous.last >= last
      return isCovered || (previous.first === first && previous.last === last) ? previous : { first, last }
    })
  })
  useEffect(() => {
    if (scroller.current === null) return
    const observer = new ResizeObserver(() => updateRange())
    observer.observe(scroller.current)
    const unmount = new AbortController()
    window.addEventListener('resize', () => updateRange(), { signal: unmount.signal })
    // Scroll events do not bubble, and either the list or an ancestor scrolls, so the window captures them.
    window.addEventListener('scroll', () => updateRange(), { capture: true, passive: true, signal: unmount.signal })
    return () => {
      observer.disconnect()
      unmount.abort()
    }
  }, [scroller])
  useEffect(() => updateRange())
  // A shorter list is rendered before the browser has reported its new scroll position.
  return { ...range, last: Math.min(range.last, layout.count - 1) }
}

/** Measures what is in sight, in rem from the list's top. In a low window not the list scrolls, but an ancestor. */
function measureViewport(list: HTMLElement) {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  let box = list
  while (getComputedStyle(box).overflowY === 'visible' && box.parentElement !== null) box = box.parentElement
  const above = box === list ? 0 : list.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop
  return {
    top: (box.scrollTop - above) / rem,
    height: box.clientHeight / rem,
    scrollTo: (top: number) => box.scrollTo({ top: above + top * rem }),
  }
}
