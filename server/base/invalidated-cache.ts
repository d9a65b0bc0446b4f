import { createLruCache } from './lru-cache'

export function createInvalidatedCache<Value>(options: {
  read: (key: string) => Promise<Value>
  /** A value is read again after so many ms; 0 while announcements of changes do not arrive. */
  ttlMs: () => number
  now: () => number
  maxEntries: number
}) {
  const { read, ttlMs, now, maxEntries } = options
  const cached = createLruCache<{ value: Promise<Value>; startedAt: number; isRead: boolean }>(maxEntries)
  return {
    /** Returns the cached value, or reads it once for all concurrent callers. A failure is not cached. */
    get: (key: string): Promise<Value> => {
      const found = cached.get(key)
      const ttl = ttlMs()
      // A read that is still running began after the last invalidation, so callers may share it.
      if (found && ttl > 0 && (!found.isRead || now() - found.startedAt < ttl)) return found.value
      const entry = { value: read(key), startedAt: now(), isRead: false }
      cached.set(key, entry)
      entry.value.then(
        () => (entry.isRead = true),
        () => cached.get(key) === entry && cached.delete(key),
      )
      return entry.value
    },
    invalidate: (key: string): void => cached.delete(key),
    invalidateAll: cached.clear,
  }
}
