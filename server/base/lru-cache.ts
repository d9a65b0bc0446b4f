export type LruCache<Value> = ReturnType<typeof createLruCache<Value>>

export function createLruCache<Value>(maxEntries: number) {
  const values = new Map<string, Value>()
  return {
    get: (key: string): Value | undefined => {
      const value = values.get(key)
      if (value === undefined) return undefined
      values.delete(key)
      values.set(key, value)
      return value
    },
    set: (key: string, value: Value): void => {
      values.delete(key)
      values.set(key, value)
      const [oldestKey] = values.keys()
      if (values.size > maxEntries && oldestKey !== undefined) values.delete(oldestKey)
    },
    delete: (key: string): void => void values.delete(key),
    clear: (): void => values.clear(),
  }
}
