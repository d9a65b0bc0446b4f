import { forgetKeys, type StorageLike } from './tab-storage'

/**
 * Remembers a list's search text outside the address: it is personal data (a name, a phone), and addresses end up in histories,
 * logs and shared links. It lies in `sessionStorage` under the key of the history entry, so it survives reload, back and
 * forward, ends with the tab and, unlike `history.state`, can be wiped in all entries at once.
 */
export type SearchText = {
  read: () => string
  write: (text: string) => void
  subscribe: (listener: () => void) => () => void
  /** The next entry begins with this text, or without one; the way back still finds this one's. */
  reset: (next?: string) => void
  /** Forgets every search of this tab. */
  wipe: () => void
}

/** The part of the Navigation API that is used. */
export type NavigationLike = EventTarget & { readonly currentEntry: { readonly key: string } | null }

/** The search text of one list; `navigation` is absent in older browsers, where it is one for all entries. */
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

/** For a page that was opened anew: where entries have no keys, it would show what was sought on the page before. */
export function forgetKeyless(storage: StorageLike): void {
  forgetSearches(storage, `:${KEYLESS}`)
}

/** The list is asked for anew, from the main menu or by a saved view; `detail` is the text it begins with. */
export const LIST_RESTARTED = 'intag:list-restarted'

/** Another list's next visit begins with this text. */
export function presetSearch(list: string, text: string, storage: StorageLike): void {
  storage.setItem(nextKey(list), text)
}

const PREFIX = 'intag:search:'
const KEYLESS = 'all'
const nextKey = (list: string) => `${PREFIX}${list}:next`
