import { findUserNames } from '@/server/access/users'
import { createLruCache } from '@/server/base/lru-cache'
import type { BaseServices } from '@/server/base/services'

export type UserNames = ReadonlyMap<string, string>

const MAX_NAMES = 10_000

/** Caches users' names for `cacheTtlMs`. A name that cannot be read is the last known one, or empty. */
export function createUserNameReader({ connect, now, cacheTtlMs }: BaseServices) {
  const cache = createLruCache<{ name: string; readAt: number }>(MAX_NAMES)
  return async (ids: readonly (string | null | undefined)[]): Promise<UserNames> => {
    const userIds = [...new Set(ids.flatMap((id) => id ?? []))]
    const readAt = now()
    const staleIds = userIds.filter((id) => readAt - (cache.get(id)?.readAt ?? -Infinity) >= cacheTtlMs())
    const reading = staleIds.length === 0 ? null : connect().then((db) => findUserNames(db, staleIds))
    const names = await reading?.catch(() => null)
    if (names) for (const id of staleIds) cache.set(id, { name: names.get(id) ?? '', readAt })
    return new Map(userIds.map((id) => [id, cache.get(id)?.name ?? '']))
  }
}

/** The name is empty if it cannot be read, or if the account is gone. */
export function toPerson(id: string | null, names: UserNames) {
  return id === null ? null : { id, name: names.get(id) ?? '' }
}
