import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { seedQueryCache } from './prefetched-answer'
import { send } from './send'

const NOW = Date.parse('2026-11-20T07:00:00.000Z')
const MINUTE = 60_000
const key = ['leads']

beforeEach(() => vi.useFakeTimers({ now: NOW }))
afterEach(() => void vi.useRealTimers())

/** From now on the server's clock is known to be this much ahead of the browser's. */
async function learnClock(aheadMs: number): Promise<void> {
  const headers = { date: new Date(NOW + aheadMs).toUTCString() }
  vi.stubGlobal('fetch', async () => new Response('{}', { headers }))
  await send('/api/x', {})
}

const known = (client: QueryClient) => [client.getQueryData(key), client.getQueryState(key)?.dataUpdatedAt]

test.each([-5, 0, 5])(
  'what came with the page is as fresh as the page, and going back replaces nothing newer (clocks %i minutes apart)',
  async (minutes) => {
    await learnClock(minutes * MINUTE)
    const client = new QueryClient()
    const first = { key, data: 'first', readAt: NOW + minutes * MINUTE }
    seedQueryCache(client, first)
    expect(known(client)).toEqual(['first', NOW])
    vi.advanceTimersByTime(MINUTE)
    client.setQueryData(key, 'asked since')
    seedQueryCache(client, first)
    expect(known(client)).toEqual(['asked since', NOW + MINUTE])
  },
)

test('opening the screen again replaces what is older, and not what came while it was on its way', async () => {
  const client = new QueryClient()
  await learnClock(-5 * MINUTE)
  seedQueryCache(client, { key, data: 'first', readAt: NOW - 5 * MINUTE })
  vi.advanceTimersByTime(MINUTE)
  seedQueryCache(client, { key, data: 'second', readAt: NOW - 4 * MINUTE })
  expect(known(client)[0]).toBe('second')
  vi.advanceTimersByTime(MINUTE)
  client.setQueryData(key, 'asked since')
  seedQueryCache(client, { key, data: 'third', readAt: NOW - 3 * MINUTE - 500 })
  expect(known(client)[0]).toBe('asked since')
})

test('what is not known any more is shown again, as something old', async () => {
  await learnClock(0)
  const client = new QueryClient()
  const first = { key, data: 'first', readAt: NOW }
  seedQueryCache(client, first)
  client.removeQueries({ queryKey: key })
  seedQueryCache(client, first)
  expect(known(client)).toEqual(['first', 1])
})
