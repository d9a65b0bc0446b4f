import { hashKey, type QueryClient } from '@tanstack/react-query'
import { toServerTime, withRequestTime } from './send'

/** An answer that the server prefetches for a screen. `readAt` is by the server's clock (ms). */
export type PrefetchedAnswer = { key: readonly unknown[]; data: unknown; readAt: number }

/** Reads an answer on the server. Returns null if it cannot be read now; the browser then requests it. */
export async function prefetchAnswer(key: readonly unknown[], read: () => Promise<object>) {
  try {
    return { key, data: await withRequestTime(read), readAt: Date.now() } satisfies PrefetchedAnswer
  } catch {
    return null
  }
}

const newestReadAtByClient = new WeakMap<QueryClient, Map<string, number>>()
/** A query that was updated at this moment is shown, and requested again at once, because it is stale. */
const STALE_UPDATED_AT = 1

/** Caches an answer unless a newer one is cached: when the user comes back, Next renders the screen with an old one. */
export function seedQueryCache(client: QueryClient, { key, data, readAt }: PrefetchedAnswer): void {
  const newestReadAt = newestReadAtByClient.get(client) ?? new Map<string, number>()
  newestReadAtByClient.set(client, newestReadAt)
  const hash = hashKey(key)
  const isNew = readAt > (newestReadAt.get(hash) ?? 0)
  if (isNew) newestReadAt.set(hash, readAt)
  const cached = client.getQueryState(key)
  if (cached?.data === undefined) client.setQueryData(key, data, { updatedAt: isNew ? Date.now() : STALE_UPDATED_AT })
  else if (isNew && toServerTime(cached.dataUpdatedAt) < readAt) client.setQueryData(key, data)
}
