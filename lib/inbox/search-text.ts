const PREFIX = 'intag:search:'
/** Stands for the key of an entry in browsers without `navigation`. */
const KEYLESS = 'all'
/** The key of the text with which the next visit of the list begins. */
const nextKey = (list: string) => `${PREFIX}${list}:next`

type TabLike = {
  sessionStorage: StorageLike
  navigation?: (EventTarget & { readonly currentEntry: { readonly key: string } | null }) | undefined
}

/**
 * A search text is personal data, so it is kept outside the address: in `sessionStorage` under the key of the history
 * entry. It survives reload, back and forward, and can be wiped in all entries at once. Without `navigation` (older browsers) all
 * entries share one text; without a tab, on the server, there is none.
 */
export function createSearchText(list: string, tab: TabLike | undefined) {
  const { sessionStorage: storage, navigation } = tab ?? {}
  const listeners = new Set<() => void>()
  const entryKey = () => `${PREFIX}${list}:${navigation?.currentEntry?.key ?? KEYLESS}`
  const preset = storage?.getItem(nextKey(list)) ?? null
  let text = preset ?? storage?.getItem(entryKey()) ?? ''

  const set = (next: string) => {
    if (next === text) return
    text = next
    listeners.forEach((listener) => listener())
  }
  const store = () => (text === '' ? storage?.removeItem(entryKey()) : storage?.setItem(entryKey(), text))
  // A new entry goes on with the text; back and forward take the entry's own.
  const entryChanged = (event: Event) =>
    'navigationType' in event && event.navigationType === 'traverse' ? set(storage?.getItem(entryKey()) ?? '') : store()

  return {
    read: () => text,
    write: (next: string) => {
      set(next)
      store()
    },
    subscribe: (listener: () => void) => {
      if (listeners.size === 0) navigation?.addEventListener('currententrychange', entryChanged)
      listeners.add(listener)
      // The preset is used up only once the list is on screen, under the entry of its own.
      if (preset !== null && storage?.getItem(nextKey(list)) != null) {
        storage.removeItem(nextKey(list))
        store()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) navigation?.removeEventListener('currententrychange', entryChanged)
      }
    },
    /** The next entry begins with this text; the way back finds the old one. */
    startEntry: (next = '') => set(next),
    forgetAll: () => {
      if (storage) forgetKeys(storage, (key) => key.startsWith(PREFIX))
      set('')
    },
  }
}

/** The list is opened from the menu or a saved view; `detail` is its search text. */
export const LIST_RESTARTED = 'intag:list-restarted'

/** The next visit of another list begins with this text. */
export function presetSearch(list: string, text: string, storage: StorageLike): void {
  storage.setItem(nextKey(list), text)
}

/** Forgets the text that all entries share, with which a page that is opened anew would begin. */
export function forgetSharedText(storage: StorageLike): void {
  forgetKeys(storage, (key) => key.startsWith(PREFIX) && key.endsWith(`:${KEYLESS}`))
}

export type StorageLike = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export function keysIn(storage: StorageLike): string[] {
  return Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? '')
}

export function forgetKeys(storage: StorageLike, isMeant: (key: string) => boolean): void {
  for (const key of keysIn(storage).filter(isMeant)) storage.removeItem(key)
}
