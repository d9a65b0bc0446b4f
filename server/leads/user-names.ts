import 'server-only'
import { findUserNames } from '@/server/access/users'
import { createLruCache } from '@/server/base/lru-cache'
import type { BaseServices } from '@/server/base/services'

const MAX_NAMES = 10_000

/** Reads the names of users, for as long as other caches. A name that cannot be read is the last known one, or empty. */
export function createUserNameReader({ connect, now, cacheTtlMs }: BaseServices) {
  const cache = createLruCache<{ name: string; readAt: number }>(MAX_NAMES)
  return async (ids: readonly (string | null | undefined)[]) => {
    const wanted = [...new Set(ids.flatMap((id) => id ?? []))]
    const readAt = now()
    const stale = wanted.filter((id) => readAt - (cache.get(id)?.readAt ?? -Infinity) >= cacheTtlMs())
    const reading = stale.length === 0 ? null : connect().then((db) => findUserNames(db, stale))
    const names = await reading?.catch(() => null)
    if (names) for (const id of stale) cache.set(id, { name: names.get(id) ?? '', readAt })
    return new Map(wanted.map((id) => [id, cache.get(id)?.name ?? '']))
  }
}
