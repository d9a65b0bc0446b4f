import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createUpstreamClient } from '@/server/upstream/client'
import { freeBudget } from '@/server/upstream/testing/budget-doubles'
import { faultyServices } from '@/server/upstream/testing/faulty-service'
import { createHttpTransport } from '@/server/upstream/transport'
import { createListRefresher } from './list-refresher'
import { createListSources, type HighSchoolList } from './list-source'
import { singleInstanceLists } from './shared-lists'

const START = Date.UTC(2026, 10, 20, 7)
const SECOND = 1_000

const start = faultyServices()
// The sockets go on in true time; only our own clock and time limits are moved by hand.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: START }))
afterEach(() => void vi.useRealTimers())

test('an answer that drips is called slow within half a minute, and given up after two; the next one is planned', async () => {
  const sent = { pieces: 0 }
  const service = await start((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const drip = setInterval(() => response.write(' '.repeat(64), () => sent.pieces++), 2)
    response.on('close', () => clearInterval(drip))
  })
  const client = createUpstreamClient({
    baseUrl: service.url,
    token: 'token',
    transport: createHttpTransport(),
    budget: freeBudget(),
    clock: { now: Date.now },
  })
  const clock = { now: Date.now, monotonic: Date.now }
  const { highSchools } = createListSources({ client, clock, yieldTurn: () => Promise.resolve() })
  const seen: string[] = []
  const refresher = createListRefresher<HighSchoolList>({
    shared: singleInstanceLists,
    source: highSchools,
    intervalMs: () => 10 * SECOND,
    now: Date.now,
    schedule: (delayMs, run) => {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    random: () => 0,
    onChange: ({ problem }) => seen.push(`${(Date.now() - START) / SECOND} s: ${problem?.detail}`),
    onError: (error) => seen.push(String(error)),
  })
  const fetching = refresher.refresh()
  for (let second = 0; second < 120; second++) {
    const before = sent.pieces
    while (sent.pieces === before) await pause(1)
    await vi.advanceTimersByTimeAsync(SECOND)
  }
  await fetching
  refresher.stop()
  expect(seen).toEqual(['10 s: the answer is slow to come', '120 s: no whole answer within 120000 ms'])
  expect(refresher.state()).toMatchObject({ problem: { kind: 'unavailable', since: START } })
  expect(refresher.state().nextAt).toBe(START + 125 * SECOND)
  expect(service.requests).toHaveLength(1)
})
