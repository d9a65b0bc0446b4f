import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { isTypedKey } from '@/lib/keyboard/key-press'

/** Opens the modal dialog, and restores the focus when it unmounts, as browsers do only for a dialog that is closed. */
export function useModalDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  const opener = useRef<Element | null>(null)
  useEffect(() => {
    opener.current ??= document.activeElement
    if (!dialog.current?.open) dialog.current?.showModal()
    // The timeout lets code that moves the focus on purpose run first.
    return () => void setTimeout(() => restoreFocus(opener.current))
  }, [])
  return dialog
}

/** If nothing has the focus, focuses the element, else the list, the open lead that covers the list, or the screen. */
export function restoreFocus(element?: Element | null): void {
  const fallbackSelectors = ['main [role=listbox]', 'main [data-covers]', 'main']
  for (const candidate of [element, ...fallbackSelectors.map((selector) => document.querySelector(selector))]) {
    const focused = document.activeElement
    if (focused !== null && focused !== document.body) return
    if (candidate instanceof HTMLElement && candidate !== document.body) candidate.focus({ preventScroll: true })
  }
}

/** Escape leaves a field and keeps its text; then the keys act on the lead again. */
export function blurOnEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || !isTypedKey(event.nativeEvent) || !(event.target instanceof HTMLElement)) return
  event.preventDefault()
  event.target.blur()
  restoreFocus(document.querySelector('main [data-covers]'))
}
