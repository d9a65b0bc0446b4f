import { type KeyboardEvent, useEffect, useRef } from 'react'
import { isPressOfKey } from '@/lib/keyboard/key-press'

/** Gives the focus back when what has it goes: browsers do so only for a dialog that is closed. */
export function useFocusReturn(): void {
  const opener = useRef<Element | null>(null)
  useEffect(() => {
    opener.current ??= document.activeElement
    // Later, so that what takes the focus on purpose comes first.
    return () => void setTimeout(() => focusAgain(opener.current))
  }, [])
}

/** If nothing has the focus: to the element, else to the list, the open lead that covers it, or the screen. */
export function focusAgain(element?: Element | null): void {
  const places = ['main [role=listbox]', 'main [data-covers]', 'main']
  for (const place of [element, ...places.map((selector) => document.querySelector(selector))]) {
    const focused = document.activeElement
    if (focused !== null && focused !== document.body) return
    if (place instanceof HTMLElement && place !== document.body) place.focus({ preventScroll: true })
  }
}

/** Escape leaves a field and keeps what is in it; the keys are the lead's again. */
export function leaveByEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || !isPressOfKey(event.nativeEvent) || !(event.target instanceof HTMLElement)) return
  event.preventDefault()
  event.target.blur()
  focusAgain(document.querySelector('main [data-covers]'))
}
