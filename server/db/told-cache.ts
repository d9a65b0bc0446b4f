import 'server-only'
import { createRecent } from '@/server/recent'

/** How long (ms) what was read may be taken as it is, since every change of it is told; 0 while nobody could tell. */
export type HoldsMs = () => number

type ToldCacheOptions<Value> = {
  read: (key: string) => Promise<Value>
  holdsMs: HoldsMs
  now: () => number
  /** The least recently asked for goes when there are more. */
  most: number
}

export type ToldCache<Value> = {
  /** What is known, or else read; many who ask at once share one reading. A failure is nobody's but theirs who asked. */
  get: (key: string) => Promise<Value>
  /** It has changed: whoever asks from now on gets what is read from now on. */
  forget: (key: string) => void
  forgetAll: () => void
}

/** What the database said of something, by its key, until it is told that it has changed. */
export function createToldCache<Value>({ read, holdsMs, now, most }: ToldCacheOptions<Value>): ToldCache<Value> {
  const known = createRecent<{ value: Promise<Value>; at: number; isRead: boolean }>(most)
  return {
    get: (key) => {
      const found = known.get(key)
      const holds = holdsMs()
      // A reading under way began after the last change that was told.
      if (found && holds > 0 && (!found.isRead || now() - found.at < holds)) return found.value
      const entry = { value: read(key), at: now(), isRead: false }
      known.set(key, entry)
      entry.value.then(
        () => (entry.isRead = true),
        () => known.get(key) === entry && known.drop(key),
      )
      return entry.value
    },
    forget: known.drop,
    forgetAll: known.clear,
  }
}
