import { keyOf } from '@/lib/inbox/lead-text'
import { marksIn } from './inbox-state'
import type { Acts } from './use-inbox'
import { isPressOfKey } from '@/lib/keyboard/key-press'

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
