import { useEffect, useEffectEvent } from 'react'
import { keyOf } from '@/lib/inbox/lead-text'
import type { InboxState } from './use-inbox'

/** Swiping a row decides about its lead, holding it marks the lead. */
export function TouchGestures({ inbox: { rows, decide, marked, scroller } }: { inbox: InboxState }) {
  const onSwipe = useEffectEvent((index: number, to: 'right' | 'left') => {
    const item = rows.rowAt(index)
    if (item !== undefined) decide.aboutOne(item, to === 'right' ? { status: 'handled' } : decide.taken, false)
  })
  const onHold = useEffectEvent((index: number) => {
    const item = rows.rowAt(index)
    if (item !== undefined) marked.mark(keyOf(item), index, false)
  })
  useEffect(() => {
    if (scroller.current === null) return
    return attachTouch(scroller.current, {
      onSwipe: (index, to) => onSwipe(index, to),
      onHold: (index) => onHold(index),
    })
  }, [scroller])
  return null
}

type RowGestures = { onSwipe: (index: number, to: 'right' | 'left') => void; onHold: (index: number) => void }

const HOLD_MS = 450
/** Less than this is a tap or the beginning of a scroll. */
const STILL_PX = 10
/** How far a row is drawn before letting go does something; no row is drawn further than twice that. */
const FAR_PX = 88
/** A click that the browser makes of the finger's lifting comes at once; a tap meant as one comes later. */
const CLICK_MS = 150

type Touch = { row: HTMLElement; x: number; y: number; isDrawn: boolean; timer: ReturnType<typeof setTimeout> }

function attachTouch(list: HTMLElement, { onSwipe, onHold }: RowGestures): () => void {
  let touch: Touch | null = null
  let isHeld = false

  const letGo = () => {
    if (touch === null) return
    clearTimeout(touch.timer)
    draw(touch.row, 0)
    touch = null
  }
  const down = (event: PointerEvent) => {
    letGo()
    isHeld = false
    const row = event.pointerType === 'mouse' ? null : rowOf(event.target)
    if (row === null || list.dataset['marking'] === 'true') return
    const timer = setTimeout(() => {
      letGo()
      isHeld = true
      onHold(indexOf(row))
    }, HOLD_MS)
    touch = { row, x: event.clientX, y: event.clientY, isDrawn: false, timer }
  }
  const move = (event: PointerEvent) => {
    if (touch === null) return
    const [x, y] = [event.clientX - touch.x, event.clientY - touch.y]
    if (Math.max(Math.abs(x), Math.abs(y)) > STILL_PX) clearTimeout(touch.timer)
    touch.isDrawn ||= Math.abs(x) > STILL_PX && isSideways(x, y)
    if (touch.isDrawn) draw(touch.row, Math.max(-2 * FAR_PX, Math.min(2 * FAR_PX, x)))
  }
  const up = (event: PointerEvent) => {
    const done = touch
    letGo()
    if (isHeld || done?.isDrawn === true) swallowClick(list)
    isHeld = false
    if (done === null || !done.isDrawn) return
    const x = event.clientX - done.x
    if (Math.abs(x) >= FAR_PX) onSwipe(indexOf(done.row), x > 0 ? 'right' : 'left')
  }

  const end = new AbortController()
  const { signal } = end
  list.addEventListener('pointerdown', down, { signal })
  list.addEventListener('pointermove', move, { signal })
  list.addEventListener('touchmove', (event) => keepFromBrowser(event, touch), { signal, passive: false })
  list.addEventListener('pointerup', up, { signal })
  list.addEventListener('pointercancel', letGo, { signal })
  // A finger held down would bring up the browser's own menu.
  list.addEventListener('contextmenu', (event) => (touch !== null || isHeld) && event.preventDefault(), { signal })
  return () => {
    letGo()
    end.abort()
  }
}

/** A sideways drag taken for a scroll ends in a fling, and Chromium then swallows the next tap, such as Undo. */
function keepFromBrowser(event: TouchEvent, touch: Touch | null): void {
  const [finger] = event.touches
  if (touch === null || finger === undefined || !event.cancelable) return
  if (touch.isDrawn || isSideways(finger.clientX - touch.x, finger.clientY - touch.y)) event.preventDefault()
}

function isSideways(x: number, y: number): boolean {
  return Math.abs(x) > 2 * Math.abs(y)
}

function rowOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[role=option]') : null
}

function indexOf(row: HTMLElement): number {
  return Number(row.ariaPosInSet) - 1
}

function draw(row: HTMLElement, x: number): void {
  row.style.transform = x === 0 ? '' : `translateX(${x}px)`
  row.style.transitionDuration = x === 0 ? '' : '0s'
  const place = row.parentElement
  if (place === null) return
  if (x === 0) delete place.dataset['drawn']
  else place.dataset['drawn'] = `${x > 0 ? 'right' : 'left'}${Math.abs(x) >= FAR_PX ? '-far' : ''}`
}

/** The click that the browser makes of a finger's lifting was not meant as one. */
function swallowClick(list: HTMLElement): void {
  const swallow = (event: Event) => {
    event.stopPropagation()
    event.preventDefault()
  }
  list.addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => list.removeEventListener('click', swallow, { capture: true }), CLICK_MS)
}
