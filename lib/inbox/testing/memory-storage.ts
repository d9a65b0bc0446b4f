import type { StorageLike } from '../search-text'

/** A tab's storage, or the browser's, in memory; what it holds is in `held`. */
export function memoryStorage(held = new Map<string, string>()): StorageLike {
  return {
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, text) => void held.set(key, text),
    removeItem: (key) => void held.delete(key),
    key: (at) => [...held.keys()][at] ?? null,
    get length() {
      return held.size
    },
  }
}
