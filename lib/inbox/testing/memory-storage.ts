/** Creates a tab's or browser's storage in memory; its entries are in `held`. */
export function memoryStorage(held = new Map<string, string>()): Storage {
  return {
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, text) => void held.set(key, text),
    removeItem: (key) => void held.delete(key),
    clear: () => held.clear(),
    key: (index) => [...held.keys()][index] ?? null,
    get length() {
      return held.size
    },
  }
}
