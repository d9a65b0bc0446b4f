import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { rowAtTop, type RowLayout, type RowRange, scrollTopFor, topOf, visibleRows } from '@/lib/inbox/row-layout'
import { keyOf } from '@/lib/inbox/lead-text'
import type { LeadKey } from '@/lib/leads/lead-key'
import { offsetsOf } from '@/lib/inbox/loaded-rows'
import type { ListRows } from './list-rows'
import { useActs } from './use-inbox'

type Places = {
  rows: ListRows
  id: LeadKey | null
  cursor: number
  /** The lead that a list opens with: nobody went to it, so nothing scrolls to it. */
  isAutomatic: boolean
  openId: LeadKey | null
  listKey: string
  scroller: RefObject<HTMLElement | null>
}

/** Which rows are in sight. Requests their pages, and scrolls where it must. */
export function useRowScrolling(places: Omit<Places, 'scroller'>, layout: RowLayout): RowRange {
  const { scroller, setOffsets } = useActs()
  const all = { ...places, scroller }
  const visible = useVisibleRows(scroller, layout)
  useScrollAnchor(all, layout)
  useNeededPages(all, visible, setOffsets)
  useCursorInSight(all, layout)
  return visible
}

const FIRST_HEIGHT = 56
/** Rows drawn beyond those in sight, once a person scrolls: until then they would only slow the first page down. */
const SPARE = 8

/** The rows in sight. All are of one height, so this is arithmetic; a virtualiser that measures would cost 10 kB. */
function useVisibleRows(scroller: RefObject<HTMLElement | null>, { count, headings, rowHeight }: RowLayout): RowRange {
  const [seen, setSeen] = useState(() => visibleRows(0, FIRST_HEIGHT, { count, headings, rowHeight }, 0))
  const spare = useRef(0)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const update = () => {
      const { top, height } = rowWindow(element)
      if (top > 0) spare.current = SPARE
      const next = visibleRows(top, height, { count, headings, rowHeight }, spare.current)
      // Until a person scrolls, spare rows stay: removing them would be the first work of the page.
      const isMoreEnough = spare.current === 0
      setSeen((before) => (isEnough(before, next, isMoreEnough) ? before : next))
    }
    const observer = new ResizeObserver(update)
    observer.observe(element)
    window.addEventListener('resize', update)
    // Captured, since it may be a box around the list that scrolls.
    window.addEventListener('scroll', update, { capture: true, passive: true })
    update()
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', update)
      window.removeEventListener('scroll', update, { capture: true })
    }
  }, [scroller, count, headings, rowHeight])
  // A shorter list is drawn before the browser has reported its new scroll position.
  return { ...seen, last: Math.min(seen.last, count - 1) }
}

/** What is in sight, in rem from the list's top. It scrolls in its own box, or in a low window in one around it. */
function rowWindow(list: HTMLElement) {
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

function isEnough(a: RowRange, b: RowRange, isMoreEnough: boolean): boolean {
  return isMoreEnough ? a.first <= b.first && a.last >= b.last : a.first === b.first && a.last === b.last
}

type Anchor = { id: LeadKey; index: number; top: number }

/** When rows come or go above what is on screen, scrolls along, so that the rows a person looks at stay in place. Another list begins at its top. */
function useScrollAnchor({ listKey, rows, scroller, openId }: Places, layout: RowLayout): void {
  const anchor = useRef<Anchor | null>(null)
  const shownKey = useRef(listKey)
  useLayoutEffect(() => {
    if (scroller.current === null) return
    const isOther = shownKey.current !== listKey
    shownKey.current = listKey
    const { top, scrollTo } = rowWindow(scroller.current)
    if (isOther && top > 0) scrollTo(0)
    const before = isOther ? null : anchor.current
    const moved = before && movedTo(before, rows, layout)
    if (before !== null && moved !== null && (top > 0 || openId !== null)) {
      scrollTo(top + moved.top - before.top)
      anchor.current = { ...before, ...moved }
      return
    }
    const first = firstWhole(isOther ? 0 : top, layout)
    const item = rows.rowAt(first)
    anchor.current = item === undefined ? null : { id: keyOf(item), index: first, top: topOf(first, layout) }
  })
}

function movedTo({ id, index, top }: Anchor, rows: ListRows, layout: RowLayout): Pick<Anchor, 'index' | 'top'> | null {
  const item = rows.rowAt(index)
  const now = item !== undefined && keyOf(item) === id ? index : rows.indexOf(id)
  if (now === -1) return null
  const place = { index: now, top: topOf(now, layout) }
  return place.top === top ? null : place
}

function firstWhole(scrollTop: number, layout: RowLayout): number {
  const row = rowAtTop(scrollTop, layout)
  return topOf(row, layout) < scrollTop ? row + 1 : row
}

function useNeededPages(
  { rows: { count }, cursor: index }: Places,
  { first, last }: RowRange,
  setOffsets: (offsets: readonly number[]) => void,
): void {
  useEffect(() => {
    const atCursor = index === -1 ? [] : offsetsOf(index, index, count)
    setOffsets([...new Set([...offsetsOf(first, last, count), ...atCursor])])
  }, [first, last, count, index, setOffsets])
}

const CONTEXT = 2

/** Only for a cursor that went to another lead: one that moves because rows came must not pull the list along. */
function useCursorInSight(
  { id, cursor: index, isAutomatic, scroller }: Places,
  { count, headings, rowHeight }: RowLayout,
): void {
  const shownId = useRef<LeadKey | null>(null)
  const isPressed = usePressed(scroller)
  useEffect(() => {
    const element = scroller.current
    if (element === null || index === -1 || shownId.current === id) return
    shownId.current = id
    if (isAutomatic) return
    const { top, height, scrollTo } = rowWindow(element)
    scrollTo(scrollTopFor(index, top, height, { count, headings, rowHeight }, isPressed.current ? 0 : CONTEXT))
  }, [index, id, isAutomatic, scroller, count, headings, rowHeight, isPressed])
  const stay = useEffectEvent((element: HTMLElement, before: number): number => {
    const { top, height, scrollTo } = rowWindow(element)
    const placeWithin = (room: number) => scrollTopFor(index, top, room, { count, headings, rowHeight })
    if (index !== -1 && height < before && placeWithin(before) === top) scrollTo(placeWithin(height))
    return height
  })
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    let { height } = rowWindow(element)
    const observer = new ResizeObserver(() => (height = stay(element, height)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
}

/** Whether the last thing that a person did was to press in the list: then nothing moves under the finger. */
function usePressed(scroller: RefObject<HTMLElement | null>): RefObject<boolean> {
  const isPressed = useRef(false)
  useEffect(() => {
    const note = ({ type, target }: Event) => {
      isPressed.current =
        type === 'pointerdown' && target instanceof Node && scroller.current?.contains(target) === true
    }
    for (const type of ['pointerdown', 'keydown']) window.addEventListener(type, note, { capture: true })
    return () => {
      for (const type of ['pointerdown', 'keydown']) window.removeEventListener(type, note, { capture: true })
    }
  }, [scroller])
  return isPressed
}
