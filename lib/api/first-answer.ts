import { hashKey, type QueryClient } from '@tanstack/react-query'
import { serverTime } from './send'

/** An answer that the server has read for a screen, with its query key. `at` is the moment (ms) by the server's clock. */
export type FirstAnswer<Data = unknown> = { key: readonly unknown[]; data: Data; at: number }

const newestByClient = new WeakMap<QueryClient, Map<string, number>>()
/** An answer of this age is shown, and requested again at once. */
const STALE = 1

/** Caches an answer once, because Next keeps it with the screen and renders it again when the user comes back. */
export function giveFirst(client: QueryClient, { key, data, at }: FirstAnswer): void {
  const newest = newestByClient.get(client) ?? new Map<string, number>()
  newestByClient.set(client, newest)
  const before = newest.get(hashKey(key)) ?? 0
  newest.set(hashKey(key), Math.max(at, before))
  const cached = client.getQueryState(key)
  if (cached?.data === undefined) client.setQueryData(key, data, { updatedAt: at > before ? Date.now() : STALE })
  else if (at > before && serverTime(cached.dataUpdatedAt) < at) client.setQueryData(key, data)
}
