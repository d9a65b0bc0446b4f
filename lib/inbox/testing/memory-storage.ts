/** Creates a tab's or browser's storage in memory. */
export function memoryStorage(entries = new Map<string, string>()): Storage {
  return {
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, text) => void entries.set(key, text),
    removeItem: (key) => void entries.delete(key),
    clear: () => entries.clear(),
    key: (index) => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size
    },
  }
}
