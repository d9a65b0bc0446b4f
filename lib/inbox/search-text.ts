const PREFIX = 'intag:search:'
/** The window dispatches this event when a search text has changed. */
export const SEARCH_CHANGED = 'intag:search-changed'

/** A list's search text is personal data, so the tab keeps it by path, until a link opens the list anew. */
export function readSearchText(path: string): string {
  return sessionStorage.getItem(PREFIX + path) ?? ''
}

export function writeSearchText(path: string, text: string): void {
  if (text === '') sessionStorage.removeItem(PREFIX + path)
  else sessionStorage.setItem(PREFIX + path, text)
  window.dispatchEvent(new Event(SEARCH_CHANGED))
}

export function forgetSearchTexts(): void {
  forgetKeys(sessionStorage, (key) => key.startsWith(PREFIX))
  window.dispatchEvent(new Event(SEARCH_CHANGED))
}

// A page that is opened by its address begins without a search; a reload and a step back or forward keep it.
const navigations = performance.getEntriesByType('navigation')
if (navigations.some((entry) => 'type' in entry && entry.type === 'navigate')) forgetSearchTexts()

export function listKeys(storage: Storage): string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
}

export function forgetKeys(storage: Storage, matches: (key: string) => boolean): void {
  for (const key of listKeys(storage).filter(matches)) storage.removeItem(key)
}
