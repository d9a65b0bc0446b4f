import { hashKey, type QueryClient } from '@tanstack/react-query'
import { serverTime } from './send'

/** What the server has read already, by the key under which the browser would ask for it; `at` in ms, by its clock. */
export type FirstAnswer = { key: readonly unknown[]; data: unknown; at: number }

/** Each but once: Next keeps what a screen came with, and somebody who goes back to it hands it in again. */
export function giveFirst(client: QueryClient, { key, data, at }: FirstAnswer): void {
  const given = givenTo.get(client) ?? new Map<string, number>()
  givenTo.set(client, given)
  const name = hashKey(key)
  const isNew = at > (given.get(name) ?? 0)
  given.set(name, Math.max(at, given.get(name) ?? 0))
  const known = client.getQueryState(key)
  if (known?.data === undefined) client.setQueryData(key, data, { updatedAt: isNew ? Date.now() : LONG_AGO })
  else if (isNew && serverTime(known.dataUpdatedAt) < at) client.setQueryData(key, data)
}

/** When the last was read that a browser's memory was given, by the key. */
const givenTo = new WeakMap<QueryClient, Map<string, number>>()
/** Better than nothing until it has been asked for. */
const LONG_AGO = 1
