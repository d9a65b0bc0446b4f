import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { keyOf } from '@/lib/inbox/lead-text'
import { marksIn } from './inbox-state'
import { type Acts, useActs } from './use-inbox'
import { isPressOfKey } from '@/lib/keyboard/key-press'

/** Swiping a row decides about its lead, holding it marks the lead. */
export function TouchGestures() {
  const { decide, mark, read, scroller } = useActs()
  const t = useTranslations('lead')
  useEffect(() => {
    if (scroller.current === null) return
    // What letting go of a row will do, for the style sheet to write beneath it.
    scroller.current.style.setProperty('--swiped-right', JSON.stringify(t('markHandled')))
    scroller.current.style.setProperty('--swiped-left', JSON.stringify(t('take')))
    return attachTouch(scroller.current, {
      onSwipe: (index, to) => {
        const item = read().rows.rowAt(index)
        if (item !== undefined) decide.aboutOne(item, to === 'right' ? { status: 'handled' } : decide.taken, false)
      },
      onHold: (index) => {
        const item = read().rows.rowAt(index)
        if (item !== undefined) mark(keyOf(item), index, false)
      },
    })
  }, [scroller, read, decide, mark, t])
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

/** The page hears of a tap only after the finger has left. */
const TAP_MS = 400
const LETTING_GO = ['keydown', 'scroll', 'blur']

let timer: ReturnType<typeof setTimeout> | undefined
let held: AbortController | null = null

/** While rows are pointed at none moves (`inTheirPlaces`). Keys and scrolling let go. */
export function hold(event: string, pointer: string, setHeld: (isHeld: boolean) => void): void {
  const isMouse = pointer === 'mouse'
  const letGo = () => {
    held?.abort()
    held = null
    setHeld(false)
  }
  const [starts, ends] = isMouse ? ['pointermove', 'pointerleave'] : ['pointerdown', 'pointercancel']
  if (event === starts || event === ends) clearTimeout(timer)
  if (event === ends) letGo()
  if (event === 'pointerup' && !isMouse) timer = setTimeout(letGo, TAP_MS)
  if (event === starts && held === null) {
    held = new AbortController()
    const { signal } = held
    for (const name of LETTING_GO) window.addEventListener(name, letGo, { capture: true, passive: true, signal })
    setHeld(true)
  }
}

export function pressInSearch(event: KeyboardEvent, acts: Acts): void {
  const text = acts.read().filters.search
  const leave = () => {
    acts.searchField.current?.blur()
    acts.focusList()
  }
  const ways: Readonly<Record<string, (() => void) | undefined>> = {
    Escape: text === '' ? leave : () => acts.setSearch(''),
    ArrowDown: () => goToFirst(acts, false),
    // On a screen keyboard this key is there to see the hits, not to leave them.
    Enter: text.trim() === '' ? leave : () => goToFirst(acts, !window.matchMedia('(pointer: coarse)').matches),
  }
  const way = isPressOfKey(event) ? ways[event.key] : undefined
  if (way === undefined) return
  // Heard in the field first, so that no command of the screen takes it too.
  event.preventDefault()
  way()
}

let stop = () => {}

/** The user has left the field: what was waited for is not wanted any more. */
export function forgetSearchKeys(): void {
  stop()
}

/** To the first hit. While the rows are those of an earlier text, this waits for the answer. */
function goToFirst({ read, subscribe, openAt, goTo, focusList }: Acts, isOpening: boolean): void {
  stop()
  const text = read().filters.search
  let isWanted = true
  const tryNow = () => {
    const state = read()
    const { filters, rows } = state
    const isOver = text !== filters.search || rows.error !== null
    if (!isWanted || (!isOver && (!filters.isCurrent || rows.isPrevious || rows.data === undefined))) return
    stop()
    const first = isOver ? undefined : rows.rowAt(0)
    if (first === undefined) return
    const go = isOpening && !marksIn(state).isAny ? openAt : goTo
    go(keyOf(first), 0)
    focusList()
  }
  // Once the rows are drawn, so that they can have the focus.
  const end = subscribe(() => queueMicrotask(tryNow))
  stop = () => {
    isWanted = false
    end()
  }
  tryNow()
}
