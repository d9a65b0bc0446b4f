import { removeKeys } from './browser-storage'

const KEY_PREFIX = 'intag:search:'
/** The window dispatches this event when a search text has changed. */
export const SEARCH_CHANGED = 'intag:search-changed'

/** A search text may be a person's name, so the tab stores it by the list's path, and no address contains it. */
export function readSearchText(path: string): string {
  return sessionStorage.getItem(KEY_PREFIX + path) ?? ''
}

export function writeSearchText(path: string, text: string): void {
  if (text === '') sessionStorage.removeItem(KEY_PREFIX + path)
  else sessionStorage.setItem(KEY_PREFIX + path, text)
  window.dispatchEvent(new Event(SEARCH_CHANGED))
}

export function forgetSearchTexts(): void {
  removeKeys(sessionStorage, (key) => key.startsWith(KEY_PREFIX))
  window.dispatchEvent(new Event(SEARCH_CHANGED))
}

// A page that is opened by its address begins without a search; a reload and a step back or forward keep it.
const navigations = performance.getEntriesByType('navigation')
if (navigations.some((entry) => 'type' in entry && entry.type === 'navigate')) forgetSearchTexts()
