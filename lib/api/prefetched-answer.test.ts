import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { seedQueryCache } from './prefetched-answer'
import { send } from './send'

const NOW = Date.parse('2026-11-20T07:00:00.000Z')
const MINUTE = 60_000
const key = ['leads']

beforeEach(() => vi.useFakeTimers({ now: NOW }))
afterEach(() => void vi.useRealTimers())

/** Answers a request, so that the server's clock is known to be this much ahead of the browser's. */
async function learnClock(aheadMs: number): Promise<void> {
  const headers = { date: new Date(NOW + aheadMs).toUTCString() }
  vi.stubGlobal('fetch', async () => new Response('{}', { headers }))
  await send('/api/x', {})
}

const readCached = (client: QueryClient) => [client.getQueryData(key), client.getQueryState(key)?.dataUpdatedAt]

test.each([-5, 0, 5])('only a newer answer replaces the cached one, with clocks %i minutes apart', async (minutes) => {
  await learnClock(minutes * MINUTE)
  const client = new QueryClient()
  const readAt = (passedMs: number) => NOW + minutes * MINUTE + passedMs
  const first = { key, data: 'first', readAt: readAt(0) }
  seedQueryCache(client, first)
  expect(readCached(client)).toEqual(['first', NOW])
  vi.advanceTimersByTime(MINUTE)
  seedQueryCache(client, { key, data: 'second', readAt: readAt(MINUTE) })
  expect(readCached(client)[0]).toBe('second')
  vi.advanceTimersByTime(MINUTE)
  client.setQueryData(key, 'fetched since')
  for (const old of [first, { key, data: 'third', readAt: readAt(2 * MINUTE - 500) }]) seedQueryCache(client, old)
  expect(readCached(client)).toEqual(['fetched since', NOW + 2 * MINUTE])
})

test('an answer that has left the cache is shown again, as something old', async () => {
  await learnClock(0)
  const client = new QueryClient()
  const first = { key, data: 'first', readAt: NOW }
  seedQueryCache(client, first)
  client.removeQueries({ queryKey: key })
  for (let render = 0; render < 2; render += 1) seedQueryCache(client, first)
  expect(readCached(client)).toEqual(['first', 1])
})
