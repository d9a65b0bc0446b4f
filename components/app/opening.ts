import { createExternalStore, useExternalStore } from '@/components/ui/external-store'
import { findKeyContext } from '@/lib/keyboard/commands'

/** An opening is over once one of these has the focus. */
const FOCUS_SELECTORS = {
  text: '[data-typed], [data-note], [data-confirm]',
  dialog: 'dialog[open], [data-confirm]',
} as const

type PendingOpening = { kind: keyof typeof FOCUS_SELECTORS; onEscape: () => void }

const pendingOpening = createExternalStore<PendingOpening | null>(null)

/** Keys do nothing from now until what opens has the focus, so that no letter decides about a lead. Returns a function that ends this earlier. */
export function beginOpening(kind: PendingOpening['kind'], onEscape: () => void): () => void {
  if (document.activeElement?.closest(FOCUS_SELECTORS[kind])) return () => {}
  const started = { kind, onEscape }
  pendingOpening.set(started)
  return () => {
    if (pendingOpening.read() === started) pendingOpening.set(null)
  }
}

export function cancelOpening(): void {
  const current = pendingOpening.read()
  pendingOpening.set(null)
  current?.onEscape()
}

export function useIsOpening(): boolean {
  return useExternalStore(pendingOpening, (current) => current !== null)
}

/** Whether a reply, note or dialog is opening or has the focus. */
export function isWriting(): boolean {
  const isOpen = document.activeElement?.closest(`${FOCUS_SELECTORS.text}, ${FOCUS_SELECTORS.dialog}`)
  return pendingOpening.read() !== null || Boolean(isOpen)
}

export function endOpeningOnFocus(target: EventTarget | null): void {
  const current = pendingOpening.read()
  if (current !== null && target instanceof Element && target.closest(FOCUS_SELECTORS[current.kind]) !== null)
    pendingOpening.set(null)
}

/** Swallows a key that comes while something opens, and answers whether it did. Escape cancels, Tab leads to the button that does; another field keeps its letters. */
export function swallowKey(event: KeyboardEvent): boolean {
  const current = pendingOpening.read()
  const { key, target, ctrlKey, altKey, metaKey } = event
  // Ctrl with Alt is AltGr.
  const isShortcut = metaKey || ctrlKey !== altKey
  const isForNotice = target instanceof Element && target.closest('.opening-notice') !== null
  const isForField = current?.kind === 'text' && findKeyContext(target) === 'typing'
  if (current === null || key === 'Tab' || isShortcut || isForNotice || isForField) return false
  event.preventDefault()
  event.stopImmediatePropagation()
  if (key === 'Escape') cancelOpening()
  return true
}

/** A space or Enter of a text that one goes on writing must not answer a question that came up meanwhile. */
export function mayAnswerDialog({ key, target }: KeyboardEvent): boolean {
  if (key !== ' ' && key !== 'Enter') return false
  return (
    target instanceof Element && findKeyContext(target) === 'control' && target.closest(FOCUS_SELECTORS.dialog) !== null
  )
}
