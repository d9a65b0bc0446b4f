import { useSyncExternalStore } from 'react'
import { keyPlaceOf } from '@/lib/keyboard/commands'
import { COMMANDS_OWN, type Letters, lettersAfter, lettersAtOpening, type PressedAt } from '@/lib/keyboard/letters'

const PLACES = { reply: '[data-letters]', dialog: 'dialog[open]' } as const

type Wanted = { what: keyof typeof PLACES; onEscape: () => void }

let letters = COMMANDS_OWN
let wanted: Wanted | null = null
const listeners = new Set<() => void>()

/** Keeps what is typed for a reply or dialog on its way, until that has the focus. Answers what ends the keeping. */
export function keepLetters(what: Wanted['what'], onEscape: () => void): () => void {
  if (document.activeElement?.closest(PLACES[what])) return () => {}
  const own = { what, onEscape }
  const isOneMore = wanted?.what === what
  wanted = own
  // A dialog whose code brings another one is still on its way.
  if (!isOneMore) set({ is: 'kept', text: '', lastAt: commandAt, hasMoved: false })
  return () => {
    if (wanted === own) set(lettersAtOpening(letters))
  }
}

/** Nothing opens: what is typed in the same run as the key that asked for it does nothing. */
export function ignoreRun(timeStamp: number = performance.now()): void {
  set({ is: 'ignored', isTyped: true, lastAt: timeStamp, hasMoved: false })
}

let commandAt = -Infinity

/** A key was read as a command; if a dialog is what it opens, the next key may still belong to the same word. */
export function noteCommand({ timeStamp }: KeyboardEvent): void {
  commandAt = timeStamp
}

export function useKeptLetters(): Wanted['what'] | null {
  return useSyncExternalStore(subscribe, keptFor, nothing)
}

/** As Escape does. */
export function cancelLetters(): void {
  const { onEscape } = wanted ?? {}
  set(COMMANDS_OWN)
  onEscape?.()
}

const keptFor = () => wanted?.what ?? null
const nothing = () => null

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function set(next: Letters): void {
  letters = next
  if (next.is !== 'kept') wanted = null
  const change = next.is === 'commands' ? 'removeEventListener' : 'addEventListener'
  window[change]('keydown', onKey as EventListener, { capture: true })
  window[change]('beforeinput', onInput as EventListener, { capture: true })
  document[change]('focusin', onFocus as EventListener)
  listeners.forEach((listener) => listener())
}

function onKey(event: KeyboardEvent): void {
  if (event.isComposing || writeKept() || isElsewhere(event.target)) return
  const { state, isTaken } = lettersAfter(letters, event, pressedAt(event.target))
  if (isTaken) {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  if (state.is === 'commands') cancelLetters()
  else if (state !== letters) set(state)
}

/** What no key wrote, such as a letter from the emoji picker, comes after what was typed before it. */
function onInput(event: InputEvent): void {
  if (letters.is !== 'kept' || isElsewhere(event.target)) return
  if (letters.text === '' && writeKept()) return
  if (!event.cancelable || event.inputType !== 'insertText' || event.data === null) return
  letters = { ...letters, text: letters.text + event.data }
  event.preventDefault()
}

function onFocus({ target }: FocusEvent): void {
  if (wanted === null || !(target instanceof HTMLElement) || target.closest(PLACES[wanted.what]) === null) return
  if (target.matches('dialog')) return
  if (!isField(target)) return set(lettersAtOpening(letters, wanted.what === 'dialog'))
  // Not within the very act of opening, where the field's own listeners may not be there yet; but before the next key.
  const its = wanted
  setTimeout(() => {
    if (wanted === its && !writeKept()) set(COMMANDS_OWN)
  })
}

/** Ends the keeping once the field has the focus: what was kept is written into it. Answers whether it has. */
function writeKept(): boolean {
  const field = document.activeElement
  if (letters.is !== 'kept' || wanted === null || !(field instanceof HTMLElement)) return false
  if (!isField(field) || field.closest(PLACES[wanted.what]) === null) return false
  const { text } = letters
  set(COMMANDS_OWN)
  // The one way to write as a person would, with the events that the field listens to.
  if (text !== '') document.execCommand('insertText', false, text)
  return true
}

/** Another field has the focus: its letters are its own. */
function isElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || keyPlaceOf(target) !== 'typing') return false
  return wanted === null || target.closest(PLACES[wanted.what]) === null
}

function pressedAt(target: EventTarget | null): PressedAt {
  if (target instanceof Element && target.closest('dialog[open], [data-asks-first]') !== null) return 'question'
  return keyPlaceOf(target) === 'control' ? 'control' : 'other'
}

function isField(target: HTMLElement): boolean {
  return target.matches('textarea, input:is([type=text], [type=search], [type=email], [type=tel], :not([type]))')
}
