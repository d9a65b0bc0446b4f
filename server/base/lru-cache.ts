export type LruCache<Value> = ReturnType<typeof createLruCache<Value>>

/** Evicts the least recently used entries beyond `maxEntries`, and expired ones. */
export function createLruCache<Value>(maxEntries: number, isExpired: (value: Value) => boolean = () => false) {
  const values = new Map<string, Value>()
  return {
    get: (key: string): Value | undefined => {
      const value = values.get(key)
      if (value === undefined) return undefined
      values.delete(key)
      if (isExpired(value)) return undefined
      values.set(key, value)
      return value
    },
    set: (key: string, value: Value): void => {
      values.delete(key)
      values.set(key, value)
      for (const [oldest, unused] of values) {
        if (values.size <= maxEntries && !isExpired(unused)) break
        values.delete(oldest)
      }
    },
    delete: (key: string): void => void values.delete(key),
    clear: (): void => values.clear(),
  }
}
