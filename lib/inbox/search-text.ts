/**
 * A search text is personal data, so it is kept outside the address: in `sessionStorage` under the key of the history
 * entry. It survives reload, back and forward, and can be wiped in all entries at once.
 */
export type SearchText = {
  read: () => string
  write: (text: string) => void
  subscribe: (listener: () => void) => () => void
  /** The next entry begins with this text; the way back finds the old one. */
  reset: (next?: string) => void
  wipe: () => void
}

export type NavigationLike = EventTarget & { readonly currentEntry: { readonly key: string } | null }

/** Without `navigation` (older browsers) all entries share one text. */
export function createSearchText(
  list: string,
  storage: StorageLike,
  navigation: NavigationLike | undefined,
): SearchText {
  const listeners = new Set<() => void>()
  const entryKey = () => `${PREFIX}${list}:${navigation?.currentEntry?.key ?? KEYLESS}`
  const preset = storage.getItem(nextKey(list))
  let text = preset ?? storage.getItem(entryKey()) ?? ''

  const tell = () => listeners.forEach((listener) => listener())
  const set = (next: string) => {
    if (next === text) return
    text = next
    tell()
  }
  const store = () => (text === '' ? storage.removeItem(entryKey()) : storage.setItem(entryKey(), text))
  // A new entry goes on with the text; back and forward take the entry's own.
  const entryChanged = (event: Event) =>
    'navigationType' in event && event.navigationType === 'traverse' ? set(storage.getItem(entryKey()) ?? '') : store()

  return {
    read: () => text,
    write: (next) => {
      set(next)
      store()
    },
    subscribe: (listener) => {
      if (listeners.size === 0) navigation?.addEventListener('currententrychange', entryChanged)
      listeners.add(listener)
      // Only now the list is on screen, and the entry its own.
      if (preset !== null && storage.getItem(nextKey(list)) !== null) {
        storage.removeItem(nextKey(list))
        store()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) navigation?.removeEventListener('currententrychange', entryChanged)
      }
    },
    reset: (next = '') => set(next),
    wipe: () => {
      forgetSearches(storage)
      set('')
    },
  }
}

function forgetSearches(storage: StorageLike, ending = ''): void {
  forgetKeys(storage, (key) => key.startsWith(PREFIX) && key.endsWith(ending))
}

/** For a new page: without keys of entries it would show the search of the page before. */
export function forgetKeyless(storage: StorageLike): void {
  forgetSearches(storage, `:${KEYLESS}`)
}

/** The list is opened from the menu or a saved view; `detail` is its search text. */
export const LIST_RESTARTED = 'intag:list-restarted'

/** The next visit of another list begins with this text. */
export function presetSearch(list: string, text: string, storage: StorageLike): void {
  storage.setItem(nextKey(list), text)
}

const PREFIX = 'intag:search:'
const KEYLESS = 'all'
const nextKey = (list: string) => `${PREFIX}${list}:next`

export type StorageLike = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export function forgetKeys(storage: StorageLike, isMeant: (key: string) => boolean): void {
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
  for (const key of keys) if (isMeant(key)) storage.removeItem(key)
}
