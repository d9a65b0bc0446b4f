import 'server-only'
import { findUserNames } from '@/server/access/users'
import { createInvalidatedCache } from '@/server/base/invalidated-cache'
import { createLruCache } from '@/server/base/lru-cache'
import type { BaseServices } from '@/server/base/services'

const MAX_NAMES = 10_000

/** Reads the names of users, for as long as other caches. A name that cannot be read is the last known one, or empty. */
export function createUserNameReader({
  connect,
  now,
  cacheTtlMs,
}: Pick<BaseServices, 'connect' | 'now' | 'cacheTtlMs'>) {
  const lastNames = createLruCache<string>(MAX_NAMES)
  const read = async (id: string) => {
    const name = (await findUserNames(await connect(), [id])).get(id) ?? ''
    lastNames.set(id, name)
    return name
  }
  const cache = createInvalidatedCache({ read, ttlMs: cacheTtlMs, now, maxEntries: MAX_NAMES })
  return async (ids: readonly (string | null | undefined)[]): Promise<ReadonlyMap<string, string>> => {
    const wanted = [...new Set(ids.flatMap((id) => id ?? []))]
    const readName = (id: string) => cache.get(id).catch(() => lastNames.get(id) ?? '')
    return new Map(await Promise.all(wanted.map(async (id) => [id, await readName(id)] as const)))
  }
}
