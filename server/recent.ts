import 'server-only'

export type Recent<Value> = ReturnType<typeof createRecent<Value>>

/** What was used last, by its key; the others go when there are more than `most`. */
export function createRecent<Value>(most: number) {
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
      const [oldest] = values.keys()
      if (values.size > most && oldest !== undefined) values.delete(oldest)
    },
    drop: (key: string): void => void values.delete(key),
  }
}
