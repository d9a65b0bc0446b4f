const PREFIX = 'intag:search:'
/** Older browsers have no `navigation`, so all history entries share one text under this key. */
const SHARED_ENTRY = 'all'
/** A list's next visit begins with the text that is stored under this key. */
const toPresetKey = (list: string) => `${PREFIX}${list}:next`

type TabLike = {
  sessionStorage: Storage
  navigation?: (EventTarget & { readonly currentEntry: { readonly key: string } | null }) | undefined
}

/** A search text is personal data, so it is kept in `sessionStorage` by history entry. The server has no `tab`. */
export function createSearchText(list: string, tab: TabLike | undefined) {
  const { sessionStorage: storage, navigation } = tab ?? {}
  const listeners = new Set<() => void>()
  const toEntryKey = () => `${PREFIX}${list}:${navigation?.currentEntry?.key ?? SHARED_ENTRY}`
  const preset = storage?.getItem(toPresetKey(list)) ?? null
  let text = preset ?? storage?.getItem(toEntryKey()) ?? ''

  const set = (next: string) => {
    if (next === text) return
    text = next
    listeners.forEach((listener) => listener())
  }
  const store = () => (text === '' ? storage?.removeItem(toEntryKey()) : storage?.setItem(toEntryKey(), text))
  // A new history entry continues with the text; after back or forward the entry's own text returns.
  const onEntryChange = (event: Event) =>
    'navigationType' in event && event.navigationType === 'traverse'
      ? set(storage?.getItem(toEntryKey()) ?? '')
      : store()

  return {
    read: () => text,
    write: (next: string) => {
      set(next)
      store()
    },
    subscribe: (listener: () => void) => {
      if (listeners.size === 0) navigation?.addEventListener('currententrychange', onEntryChange)
      listeners.add(listener)
      // The preset is used up once the list is on screen, where it has a history entry of its own.
      if (preset !== null && storage?.getItem(toPresetKey(list)) != null) {
        storage.removeItem(toPresetKey(list))
        store()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) navigation?.removeEventListener('currententrychange', onEntryChange)
      }
    },
    /** Sets the text of the next history entry; going back finds the old one. */
    startEntry: set,
    forgetAll: () => {
      if (storage) forgetKeys(storage, (key) => key.startsWith(PREFIX))
      set('')
    },
  }
}

/** The window dispatches this event when the menu or a saved view opens the list; `detail` is its search text. */
export const LIST_RESTARTED = 'intag:list-restarted'

export function presetSearch(list: string, text: string, storage: Storage): void {
  storage.setItem(toPresetKey(list), text)
}

export function forgetSharedText(storage: Storage): void {
  forgetKeys(storage, (key) => key.startsWith(PREFIX) && key.endsWith(`:${SHARED_ENTRY}`))
}

export function listKeys(storage: Storage): string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
}

export function forgetKeys(storage: Storage, matches: (key: string) => boolean): void {
  for (const key of listKeys(storage).filter(matches)) storage.removeItem(key)
}
