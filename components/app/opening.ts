import { createExternalStore, useExternalStore } from '@/components/ui/external-store'
import { findKeyContext } from '@/lib/keyboard/key-reader'

/** A pending opening ends when the focus enters one of these elements. */
const FOCUS_TARGETS = { text: '[data-typed], [data-note]', dialog: 'dialog[open]' } as const

type PendingOpening = { kind: keyof typeof FOCUS_TARGETS; onEscape: () => void }

const pendingOpening = createExternalStore<PendingOpening | null>(null)

/** Makes keys do nothing until what opens has the focus, or until the returned function is called. */
export function beginOpening(kind: PendingOpening['kind'], onEscape: () => void): () => void {
  if (document.activeElement?.closest(FOCUS_TARGETS[kind])) return () => {}
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

export const useIsOpening = () => useExternalStore(pendingOpening) !== null

/** Tells whether a reply, note or dialog is opening or has the focus. */
export function isWriting(): boolean {
  const isFocused = document.activeElement?.closest(`${FOCUS_TARGETS.text}, ${FOCUS_TARGETS.dialog}`)
  return pendingOpening.read() !== null || Boolean(isFocused)
}

export function endOpeningOnFocus(target: EventTarget | null): void {
  const current = pendingOpening.read()
  if (current && target instanceof Element && target.closest(FOCUS_TARGETS[current.kind]) !== null)
    pendingOpening.set(null)
}

/**
 * Swallows a key that is pressed while something opens, and returns whether it did. Escape cancels the opening. Tab
 * passes, because it leads to the button that cancels; so do keys in another field.
 */
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

/** Tells whether this key would press a button of a dialog, which a user who types on must not do by accident. */
export function mayAnswerDialog({ key, target }: KeyboardEvent): boolean {
  if ((key !== ' ' && key !== 'Enter') || !(target instanceof Element)) return false
  return findKeyContext(target) === 'control' && target.closest(FOCUS_TARGETS.dialog) !== null
}
