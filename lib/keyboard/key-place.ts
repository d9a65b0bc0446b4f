import type { KeyPlace } from './key-reader'

/** What kind of element has the focus, as the keys see it. */
export function keyPlaceOf(target: EventTarget | null): KeyPlace {
  if (!(target instanceof HTMLElement)) return 'page'
  if (target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName)) return 'typing'
  if (target instanceof HTMLInputElement) return /^(?:checkbox|radio|button)$/.test(target.type) ? 'control' : 'typing'
  if (target.getAttribute('role') === 'listbox') return 'list'
  return target.matches('a, button, summary, [role^=menuitem]') ? 'control' : 'page'
}
