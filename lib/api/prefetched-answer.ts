import { hashKey, type QueryClient } from '@tanstack/react-query'
import { withRequestTime, toServerTime } from './send'

/** An answer that the server has read for a screen, with its query key. `at` is the moment (ms) by the server's clock. */
export type PrefetchedAnswer = { key: readonly unknown[]; data: unknown; readAt: number }

/** Reads an answer on the server. Null where it cannot be read now: the browser then requests it. */
export async function prefetchAnswer(key: readonly unknown[], read: () => Promise<object>): Promise<PrefetchedAnswer | null> {
  try {
    return { key, data: await withRequestTime(read), readAt: Date.now() }
  } catch {
    return null
  }
}

const newestByClient = new WeakMap<QueryClient, Map<string, number>>()
/** An answer of this age is shown, and requested again at once. */
const STALE_UPDATED_AT = 1

/** Caches an answer once, because Next keeps it with the screen and renders it again when the user comes back. */
export function seedQueryCache(client: QueryClient, { key, data, readAt: at }: PrefetchedAnswer): void {
  const newest = newestByClient.get(client) ?? new Map<string, number>()
  newestByClient.set(client, newest)
  const before = newest.get(hashKey(key)) ?? 0
  newest.set(hashKey(key), Math.max(at, before))
  const cached = client.getQueryState(key)
  if (cached?.data === undefined) client.setQueryData(key, data, { updatedAt: at > before ? Date.now() : STALE_UPDATED_AT })
  else if (at > before && toServerTime(cached.dataUpdatedAt) < at) client.setQueryData(key, data)
}
