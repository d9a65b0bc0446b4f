import 'server-only'

export type Recent<Value> = ReturnType<typeof createRecent<Value>>

/** What was used last, by its key; the others go when there are more than `most`, or sooner once they are over. */
export function createRecent<Value>(most: number, isOver: (value: Value) => boolean = () => false) {
  const values = new Map<string, Value>()
  return {
    get: (key: string): Value | undefined => {
      const value = values.get(key)
      if (value === undefined) return undefined
      values.delete(key)
      if (isOver(value)) return undefined
      values.set(key, value)
      return value
    },
    set: (key: string, value: Value): void => {
      values.delete(key)
      values.set(key, value)
      for (const [oldest, unused] of values) {
        if (values.size <= most && !isOver(unused)) break
        values.delete(oldest)
      }
    },
    drop: (key: string): void => void values.delete(key),
    clear: (): void => values.clear(),
  }
}
