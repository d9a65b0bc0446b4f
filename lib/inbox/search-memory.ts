/**
 * Remembers a list's search text. It is personal data (a name, a phone), and the address bar ends up in histories, logs and
 * shared links, so it stays out of the URL: it lies in `sessionStorage` under the key of the history entry. So it survives
 * reload, back and forward, like the filters in the URL; it ends with the tab, and unlike `history.state` (which the router
 * also overwrites) it can be wiped in all entries at once when the session ends.
 */
export type SearchMemory = {
  read: () => string
  write: (text: string) => void
  subscribe: (listener: () => void) => () => void
  /** The next entry begins with this text, or without one; the way back still finds this one's. */
  leave: (next?: string) => void
  /** Forgets every search of this tab. */
  wipe: () => void
}

/** The list is asked for anew, from the main menu or by a saved view; `detail` is the text it begins with. */
export const LIST_RESTARTED = 'intag:list-restarted'

/** Another list's next visit begins with this text. */
export function bringSearch(list: string, text: string, storage: StorageLike): void {
  storage.setItem(nextKey(list), text)
}

/** The part of the Navigation API that is used; absent in older browsers, where a list has one text for all entries. */
export type NavigationLike = EventTarget & { readonly currentEntry: { readonly key: string } | null }
export type StorageLike = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const PREFIX = 'intag:search:'
const nextKey = (list: string) => `${PREFIX}${list}:next`

export function createSearchMemory(
  list: string,
  storage: StorageLike,
  navigation: NavigationLike | undefined,
): SearchMemory {
  const listeners = new Set<() => void>()
  const entryKey = () => `${PREFIX}${list}:${navigation?.currentEntry?.key ?? 'all'}`
  const brought = storage.getItem(nextKey(list))
  let text = brought ?? storage.getItem(entryKey()) ?? ''

  const tell = () => listeners.forEach((listener) => listener())
  const set = (next: string) => {
    if (next === text) return
    text = next
    tell()
  }
  const store = () => (text === '' ? storage.removeItem(entryKey()) : storage.setItem(entryKey(), text))
  // A filter that changes makes a new entry, which goes on with the text; going back or forward takes the entry's own.
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
      // Only now is the list on screen, and the entry its own.
      if (brought !== null && storage.getItem(nextKey(list)) !== null) {
        storage.removeItem(nextKey(list))
        store()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) navigation?.removeEventListener('currententrychange', entryChanged)
      }
    },
    leave: (next = '') => set(next),
    wipe: () => {
      forgetSearches(storage)
      set('')
    },
  }
}

/** Forgets every search of this tab, in whatever list and history entry; for the end of the session. */
function forgetSearches(storage: StorageLike): void {
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
  for (const key of keys) if (key.startsWith(PREFIX)) storage.removeItem(key)
}
