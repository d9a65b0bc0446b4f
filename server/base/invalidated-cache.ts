import 'server-only'
import { createLruCache } from './lru-cache'

/** How long (ms) a value may be used without reading it again, since changes are announced; 0 while they cannot be. */
export type TtlMs = () => number

export function createInvalidatedCache<Value>(options: {
  read: (key: string) => Promise<Value>
  ttlMs: TtlMs
  now: () => number
  maxEntries: number
}) {
  const { read, ttlMs, now, maxEntries } = options
  const cached = createLruCache<{ value: Promise<Value>; startedAt: number; isRead: boolean }>(maxEntries)
  return {
    /** Known, or else read once for all callers. A failure is not cached. */
    get: (key: string): Promise<Value> => {
      const found = cached.get(key)
      const ttl = ttlMs()
      // A read under way began after the last invalidation.
      if (found && ttl > 0 && (!found.isRead || now() - found.startedAt < ttl)) return found.value
      const entry = { value: read(key), at: now(), isRead: false }
      cached.set(key, entry)
      entry.value.then(
        () => (entry.isRead = true),
        () => cached.get(key) === entry && cached.delete(key),
      )
      return entry.value
    },
    /** Later calls get what is read from now on. */
    invalidate: (key: string): void => cached.delete(key),
    invalidateAll: cached.clear,
  }
}
