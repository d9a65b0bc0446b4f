import { hashKey, type QueryClient } from '@tanstack/react-query'
import { serverTime } from './send'

/** What the server has read already, by its key in the browser; `at` in ms, by the server's clock. */
export type FirstAnswer<Data = unknown> = { key: readonly unknown[]; data: Data; at: number }

const newestByClient = new WeakMap<QueryClient, Map<string, number>>()
/** Shown, but asked again at once. */
const STALE = 1

/** Gives the browser an answer once: Next keeps what a screen came with, and hands it in again on the way back. */
export function giveFirst(client: QueryClient, { key, data, at }: FirstAnswer): void {
  const newest = newestByClient.get(client) ?? new Map<string, number>()
  newestByClient.set(client, newest)
  const before = newest.get(hashKey(key)) ?? 0
  newest.set(hashKey(key), Math.max(at, before))
  const cached = client.getQueryState(key)
  if (cached?.data === undefined) client.setQueryData(key, data, { updatedAt: at > before ? Date.now() : STALE })
  else if (at > before && serverTime(cached.dataUpdatedAt) < at) client.setQueryData(key, data)
}
