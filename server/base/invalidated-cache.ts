import { createLruCache } from './lru-cache'

export function createInvalidatedCache<Value>(options: {
  read: (key: string) => Promise<Value>
  /** How long a value is valid; 0 while no announcements of changes arrive. */
  ttlMs: () => number
  now: () => number
  maxEntries: number
}) {
  const { read, ttlMs, now, maxEntries } = options
  const entries = createLruCache<{ value: Promise<Value>; startedAt: number; isSettled: boolean }>(maxEntries)
  return {
    /** Returns the cached value, or reads it. Callers share a read that runs, unless `ttlMs` is 0. No failure is cached. */
    get: (key: string): Promise<Value> => {
      const cachedEntry = entries.get(key)
      const ttl = ttlMs()
      // A read that is still running began after the last invalidation, so callers may share it.
      if (cachedEntry && ttl > 0 && (!cachedEntry.isSettled || now() - cachedEntry.startedAt < ttl))
        return cachedEntry.value
      const entry = { value: read(key), startedAt: now(), isSettled: false }
      entries.set(key, entry)
      entry.value.then(
        () => (entry.isSettled = true),
        () => entries.get(key) === entry && entries.delete(key),
      )
      return entry.value
    },
    invalidate: (key: string): void => entries.delete(key),
    invalidateAll: entries.clear,
  }
}
