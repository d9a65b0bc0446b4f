import { createShownState, useShown } from '@/components/ui/shown-state'
import { findKeyContext } from '@/lib/keyboard/commands'

/** An opening is over once one of these has the focus. */
const PLACES = { text: '[data-typed], [data-note], [data-confirm]', dialog: 'dialog[open], [data-confirm]' } as const

type Opening = { kind: keyof typeof PLACES; onEscape: () => void }

const opening = createShownState<Opening | null>(null)

/** Keys do nothing from now until what opens has the focus, so that no letter decides about a lead. Returns a function that ends this earlier. */
export function beginOpening(kind: Opening['kind'], onEscape: () => void): () => void {
  if (document.activeElement?.closest(PLACES[kind])) return () => {}
  const own = { kind, onEscape }
  opening.show(own)
  return () => {
    if (opening.read() === own) opening.show(null)
  }
}

export function cancelOpening(): void {
  const now = opening.read()
  opening.show(null)
  now?.onEscape()
}

export function useIsOpening(): boolean {
  return useShown(opening, (now) => now !== null)
}

/** Whether a reply, note or dialog is opening or has the focus. */
export function isWriting(): boolean {
  const isOpen = document.activeElement?.closest(`${PLACES.text}, ${PLACES.dialog}`)
  return opening.read() !== null || Boolean(isOpen)
}

export function endOpeningAt(target: EventTarget | null): void {
  const now = opening.read()
  if (now !== null && target instanceof Element && target.closest(PLACES[now.kind]) !== null) opening.show(null)
}

/** Swallows a key that comes while something opens, and answers whether it did. Escape cancels, Tab leads to the button that does; another field keeps its letters. */
export function swallowKey(event: KeyboardEvent): boolean {
  const now = opening.read()
  const { key, target, ctrlKey, altKey, metaKey } = event
  // Ctrl with Alt is AltGr.
  const isShortcut = metaKey || ctrlKey !== altKey
  const isForNotice = target instanceof Element && target.closest('.opening-notice') !== null
  const isForField = now?.kind === 'text' && findKeyContext(target) === 'typing'
  if (now === null || key === 'Tab' || isShortcut || isForNotice || isForField) return false
  event.preventDefault()
  event.stopImmediatePropagation()
  if (key === 'Escape') cancelOpening()
  return true
}

/** A space or Enter of a text that one goes on writing must not answer a question that came up meanwhile. */
export function answersQuestion({ key, target }: KeyboardEvent): boolean {
  if (key !== ' ' && key !== 'Enter') return false
  return target instanceof Element && findKeyContext(target) === 'control' && target.closest(PLACES.dialog) !== null
}
