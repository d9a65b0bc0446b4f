import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { toLeadKey } from '@/lib/inbox/lead-text'
import { listPageOffsets } from '@/lib/inbox/loaded-rows'
import { rowAtTop, type RowLayout, type RowRange, scrollTopFor, topOf, visibleRows } from '@/lib/inbox/row-layout'
import type { LeadKey } from '@/lib/leads/lead-key'
import { selectCursor } from './inbox-state'
import { useInbox } from './use-inbox'

/** The number of rows that are kept in sight above and below the cursor. */
const CURSOR_CONTEXT = 2

/** Returns the rows in sight, requests their pages, and scrolls the list to the cursor. */
export function useRowScrolling(layout: RowLayout): RowRange {
  const inbox = useInbox()
  const { rows, filters, listState, serverRow, areRowsFrozen, actions } = inbox
  const { scroller, setOffsets } = actions
  const { id, row: cursor, origin, openId } = selectCursor(inbox)
  const { first, last } = useVisibleRows(scroller, layout, cursor)
  // The row whose page is loaded to find the lead. That page stays requested even if the lead is not in it; otherwise it would
  // be dropped and requested again for ever.
  const targetRow = cursor === -1 ? (serverRow ?? origin) : cursor
  useEffect(() => {
    const atCursor = targetRow === -1 ? [] : listPageOffsets(targetRow, targetRow, rows.count)
    setOffsets([...new Set([...listPageOffsets(first, last, rows.count), ...atCursor])])
  }, [first, last, rows.count, targetRow, setOffsets])

  /** A new key is another list (filter, order, new leads shown), which is read from its top. */
  const listKey = `${JSON.stringify(filters.query)} ${rows.data?.until}`
  const lastKey = useRef(listKey)
  /** The first whole row in sight. When rows come or go above it, the list scrolls along, so that it stays in place. */
  const anchor = useRef<{ id: LeadKey; index: number; top: number } | null>(null)
  useLayoutEffect(() => {
    if (scroller.current === null) return
    const { top, scrollTo } = measureWindow(scroller.current)
    const isNewList = lastKey.current !== listKey
    lastKey.current = listKey
    if (isNewList && top > 0) scrollTo(0)
    const before = isNewList ? null : anchor.current
    if (before !== null && (top > 0 || openId !== null)) {
      const item = rows.rowAt(before.index)
      const index = item !== undefined && toLeadKey(item) === before.id ? before.index : rows.indexOf(before.id)
      const nowTop = topOf(index, layout)
      if (index !== -1 && nowTop !== before.top) {
        scrollTo(top + nowTop - before.top)
        anchor.current = { id: before.id, index, top: nowTop }
        return
      }
    }
    const scrollTop = isNewList ? 0 : top
    const atTop = rowAtTop(scrollTop, layout)
    const index = topOf(atTop, layout) < scrollTop ? atTop + 1 : atTop
    const item = rows.rowAt(index)
    anchor.current = item === undefined ? null : { id: toLeadKey(item), index, top: topOf(index, layout) }
  })

  // The list scrolls only when the cursor goes to another lead. It stays where it is when rows come above the cursor, and for the
  // lead that the list opens by itself.
  const shownId = useRef<LeadKey | null>(null)
  useEffect(() => {
    if (scroller.current === null || cursor === -1 || shownId.current === id) return
    shownId.current = id
    if (listState.position?.isAutomatic) return
    const { top, height, scrollTo } = measureWindow(scroller.current)
    // A row that the user has pressed stays under the pointer, so no context is scrolled into sight around it.
    scrollTo(scrollTopFor(cursor, top, height, layout, areRowsFrozen ? 0 : CURSOR_CONTEXT))
  })
  return { first, last }
}

const ASSUMED_HEIGHT = 56
/** Rows rendered beyond those in sight, once the user scrolls; before that they would only delay the first screen. */
const OVERSCAN = 8

/** Returns the rows in sight. All have one height, so this is arithmetic; a virtualizer that measures would cost 10 kB. */
function useVisibleRows(scroller: RefObject<HTMLElement | null>, layout: RowLayout, cursor: number): RowRange {
  const [range, setRange] = useState(() => visibleRows(0, ASSUMED_HEIGHT, layout, 0))
  const overscan = useRef(0)
  const lastHeight = useRef(0)
  const updateRange = useEffectEvent(() => {
    if (scroller.current === null) return
    const { top, height, scrollTo } = measureWindow(scroller.current)
    // A list that becomes lower, as above the bar of marked leads, keeps the cursor in sight.
    const placeWithin = (room: number) => scrollTopFor(cursor, top, room, layout)
    if (cursor !== -1 && height < lastHeight.current && placeWithin(lastHeight.current) === top)
      scrollTo(placeWithin(height))
    lastHeight.current = height
    if (top > 0) overscan.current = OVERSCAN
    const { first, last } = visibleRows(top, height, layout, overscan.current)
    setRange((before) => {
      // Until the user scrolls, spare rows stay: removing them would be the first work of the page.
      const isCovered = overscan.current === 0 && before.first <= first && before.last >= last
      return isCovered || (before.first === first && before.last === last) ? before : { first, last }
    })
  })
  useEffect(() => {
    if (scroller.current === null) return
    const observer = new ResizeObserver(() => updateRange())
    observer.observe(scroller.current)
    const unmount = new AbortController()
    window.addEventListener('resize', () => updateRange(), { signal: unmount.signal })
    // The listener captures, because the list or an ancestor scrolls.
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

/** Measures what is in sight, in rem from the top of the list. The list scrolls itself; in a low window an ancestor does. */
function measureWindow(list: HTMLElement) {
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
