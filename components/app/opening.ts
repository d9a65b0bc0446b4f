import { createExternalStore, useExternalStore } from '@/components/ui/external-store'
import { findKeyContext } from '@/lib/keyboard/key-reader'

/**
 * An opening is the time from a command that opens a reply, note or dialog until the focus enters one of these
 * elements. Keys typed during an opening must not act on the list.
 */
const FOCUS_TARGETS = { text: '[data-typed], [data-note]', dialog: 'dialog[open]' } as const

type PendingOpening = { kind: keyof typeof FOCUS_TARGETS; onEscape: () => void }

const pendingOpening = createExternalStore<PendingOpening | null>(null)

/** Begins an opening, unless a target of its kind has the focus already. Returns a function that ends the opening. */
export function beginOpening(kind: PendingOpening['kind'], onEscape: () => void): () => void {
  if (document.activeElement?.closest(FOCUS_TARGETS[kind])) return () => {}
  const opening = { kind, onEscape }
  pendingOpening.set(opening)
  return () => {
    if (pendingOpening.read() === opening) pendingOpening.set(null)
  }
}

export function cancelOpening(): void {
  const opening = pendingOpening.read()
  pendingOpening.set(null)
  opening?.onEscape()
}

export const useIsOpening = () => useExternalStore(pendingOpening) !== null

/** Tells whether a reply, note or dialog is opening or has the focus. */
export function isWriting(): boolean {
  const isFocused = document.activeElement?.closest(`${FOCUS_TARGETS.text}, ${FOCUS_TARGETS.dialog}`)
  return pendingOpening.read() !== null || Boolean(isFocused)
}

export function endOpeningOnFocus(target: EventTarget | null): void {
  const opening = pendingOpening.read()
  if (opening && target instanceof Element && target.closest(FOCUS_TARGETS[opening.kind]) !== null)
    pendingOpening.set(null)
}

/**
 * Swallows a key that is pressed during an opening, and returns whether it did. Escape cancels the opening. Tab and
 * the keys in the notice pass, because the notice has the Cancel button; so do shortcuts of the browser, and keys typed
 * in another field while a reply or note opens.
 */
export function swallowKeyWhileOpening(event: KeyboardEvent): boolean {
  const opening = pendingOpening.read()
  const { key, target, ctrlKey, altKey, metaKey } = event
  // Ctrl with Alt is AltGr.
  const isShortcut = metaKey || ctrlKey !== altKey
  const isForNotice = target instanceof Element && target.closest('.opening-notice') !== null
  const isForField = opening?.kind === 'text' && findKeyContext(target) === 'typing'
  if (opening === null || key === 'Tab' || isShortcut || isForNotice || isForField) return false
  event.preventDefault()
  event.stopImmediatePropagation()
  if (key === 'Escape') cancelOpening()
  return true
}

/** Tells whether this key would press a button of a dialog, which a user who types on must not do by accident. */
export function wouldPressDialogButton({ key, target }: KeyboardEvent): boolean {
  if ((key !== ' ' && key !== 'Enter') || !(target instanceof Element)) return false
  return findKeyContext(target) === 'control' && target.closest(FOCUS_TARGETS.dialog) !== null
}
