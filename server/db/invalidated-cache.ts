import 'server-only'
import { createLruCache } from '@/server/lru-cache'

/** How long (ms) a value may be used without reading it again, since changes are announced; 0 while they cannot be. */
export type HoldsMs = () => number

type Read<Value> = (key: string) => Promise<Value>
type CacheOptions<Value> = { read: Read<Value>; holdsMs: HoldsMs; now: () => number; most: number }

/** Values of the database by key, until they are invalidated. */
export function createInvalidatedCache<Value>({ read, holdsMs, now, most }: CacheOptions<Value>) {
  const known = createLruCache<{ value: Promise<Value>; at: number; isRead: boolean }>(most)
  return {
    /** Known, or else read once for all callers. A failure is not cached. */
    get: (key: string): Promise<Value> => {
      const found = known.get(key)
      const holds = holdsMs()
      // A read under way began after the last invalidation.
      if (found && holds > 0 && (!found.isRead || now() - found.at < holds)) return found.value
      const entry = { value: read(key), at: now(), isRead: false }
      known.set(key, entry)
      entry.value.then(
        () => (entry.isRead = true),
        () => known.get(key) === entry && known.delete(key),
      )
      return entry.value
    },
    /** Invalidates: later calls get what is read from now on. */
    forget: (key: string): void => known.delete(key),
    forgetAll: known.clear,
  }
}
