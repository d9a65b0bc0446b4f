import { keyPlaceOf } from '@/lib/keyboard/commands'
import { isPressOfKey } from '@/lib/keyboard/key-press'
import { COMMANDS_ACTIVE, type Letters, lettersAfter, lettersAtOpening, type PressedAt } from '@/lib/keyboard/letters'
import { createShownState, useShown } from './shown-state'

const PLACES = { reply: '[data-typed]', note: '[data-note]', dialog: 'dialog[open]' } as const

type Target = { what: keyof typeof PLACES; onEscape: () => void }

let letters = COMMANDS_ACTIVE
let wanted: Target | null = null
const keptFor = createShownState<Target['what'] | null>(null)

/** Keeps what is typed for a reply or dialog on its way, until that has the focus. Answers what ends the keeping. */
export function keepLetters(what: Target['what'], onEscape: () => void): () => void {
  if (document.activeElement?.closest(PLACES[what])) return () => {}
  const own = { what, onEscape }
  const isOneMore = wanted?.what === what
  wanted = own
  // A dialog whose code brings another one is still on its way.
  if (!isOneMore) setLetters({ is: 'kept', text: '', lastAt: commandAt, hasMoved: false })
  return () => {
    if (wanted === own) setLetters(lettersAtOpening(letters))
  }
}

/** Nothing opens: what is typed in the same run as the key that asked for it does nothing. */
export function ignoreTypingBurst(timeStamp: number = performance.now()): void {
  setLetters({ is: 'ignored', isTyped: true, lastAt: timeStamp, hasMoved: false })
}

let commandAt = -Infinity

/** A key was read as a command; if a dialog is what it opens, the next key may still belong to the same word. */
export function recordCommand({ timeStamp }: KeyboardEvent): void {
  commandAt = timeStamp
}

/** A reply, note or dialog is on its way or has the focus, or letters belong to nothing. */
export function isWriting(): boolean {
  const focused = document.activeElement
  return letters.is !== 'commands' || !!focused?.closest(`[data-typed],[data-note],${PLACES.dialog}`)
}

export function useLettersKeptFor(): Target['what'] | null {
  return useShown(keptFor, (what) => what)
}

export function cancelKeptLetters(): void {
  const { onEscape } = wanted ?? {}
  setLetters(COMMANDS_ACTIVE)
  onEscape?.()
}

function setLetters(next: Letters): void {
  letters = next
  if (next.is !== 'kept') wanted = null
  const change = next.is === 'commands' ? 'removeEventListener' : 'addEventListener'
  window[change]('keydown', onKey as EventListener, { capture: true })
  window[change]('beforeinput', onInput as EventListener, { capture: true })
  document[change]('focusin', onFocus as EventListener)
  keptFor.show(wanted?.what ?? null)
}

function onKey(event: KeyboardEvent): void {
  if (!isPressOfKey(event) || writeKept() || isInOtherField(event.target)) return
  const { state, isTaken } = lettersAfter(letters, event, placeOfPress(event.target))
  if (isTaken) {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  if (state.is === 'commands') cancelKeptLetters()
  else if (state !== letters) setLetters(state)
}

/** What no key wrote, such as a letter from the emoji picker, comes after what was typed before it. */
function onInput(event: InputEvent): void {
  if (letters.is !== 'kept' || isInOtherField(event.target)) return
  if (letters.text === '' && writeKept()) return
  if (!event.cancelable || event.inputType !== 'insertText' || event.data === null) return
  letters = { ...letters, text: letters.text + event.data }
  event.preventDefault()
}

function onFocus({ target }: FocusEvent): void {
  if (wanted === null || !(target instanceof HTMLElement) || target.closest(PLACES[wanted.what]) === null) return
  if (target.matches('dialog')) return
  if (!isField(target)) return setLetters(lettersAtOpening(letters, wanted.what === 'dialog'))
  // Not within the very act of opening, where the field's own listeners may not be there yet; but before the next key.
  const opened = wanted
  setTimeout(() => {
    if (wanted === opened && !writeKept()) setLetters(COMMANDS_ACTIVE)
  })
}

/** Ends the keeping once the field has the focus: what was kept is written into it. Answers whether it has. */
function writeKept(): boolean {
  const field = document.activeElement
  if (letters.is !== 'kept' || wanted === null || !(field instanceof HTMLElement)) return false
  if (!isField(field) || field.closest(PLACES[wanted.what]) === null) return false
  const { text } = letters
  setLetters(COMMANDS_ACTIVE)
  // The one way to write as a person would, with the events that the field listens to.
  if (text !== '') document.execCommand('insertText', false, text)
  return true
}

function isInOtherField(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || keyPlaceOf(target) !== 'typing') return false
  return wanted === null || target.closest(PLACES[wanted.what]) === null
}

function placeOfPress(target: EventTarget | null): PressedAt {
  if (target instanceof Element && target.closest(PLACES.dialog) !== null) return 'question'
  return keyPlaceOf(target) === 'control' ? 'control' : 'other'
}

function isField(target: HTMLElement): boolean {
  return target.matches('textarea, input:is([type=text], [type=search], [type=email], [type=tel], :not([type]))')
}
