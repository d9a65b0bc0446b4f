import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { parseFault } from '@/reference-service/faults'
import { inventData } from '@/reference-service/invented/data'
import { createReferenceService } from '@/reference-service/service'
import { createStore } from '@/reference-service/store'
import { createVirtualTime, type VirtualTime } from '@/server/feed/testing/virtual-time'
import { createBudget } from '@/server/upstream/budget'
import type { BudgetStore } from '@/server/upstream/budget-store'
import { createUpstreamClient } from '@/server/upstream/client'
import { createMemoryBudgetStore } from '@/server/upstream/testing/budget-doubles'
import { createInProcessTransport, type Transport } from '@/server/upstream/transport'
import { createFeed } from './feed'
import { createListSources } from './list-source'
import { aloneWithLists } from './shared-lists'

const START = Date.UTC(2026, 10, 20, 7)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LIMITS = { perSecond: 10, perHour: 600 }

type Service = ReturnType<typeof createReferenceService>

function serviceOn(time: VirtualTime): Service {
  const data = inventData({ tier: 'S', seed: 3, now: START })
  const source = createStore(data, new Map([['token', { label: 'ours', schools: 'all' }]]))
  return createReferenceService({ source, clock: time.now, limits: LIMITS, requestLogSize: 100_000 })
}

/** One life of the process: it begins now, is looked at all the time and fetches until it is killed. */
function begin(time: VirtualTime, service: Service, store: BudgetStore, slowed = (transport: Transport) => transport) {
  const clock = { now: time.now, monotonic: time.now }
  const budget = createBudget({ limits: LIMITS, clock, store })
  const transport = slowed(createInProcessTransport((request) => service.handle(request)))
  const client = createUpstreamClient({ baseUrl: 'http://service.invalid', token: 'token', transport, budget, clock })
  const feed = createFeed({
    sources: createListSources({ client, clock, yieldTurn: () => Promise.resolve() }),
    shared: aloneWithLists,
    requestsPerHour: budget.listsPerHour,
    now: time.now,
    schedule: time.after,
    random: () => 0.5,
    onChange: () => {},
    onError: (_list, error) => {
      throw error
    },
  })
  feed.start()
  feed.markWatched()
  const looks = Array.from({ length: 400 }, (_, index) => time.after(index * 30_000, feed.markWatched))
  return () => {
    feed.stop()
    for (const cancel of looks) cancel()
  }
}

async function runUntil(time: VirtualTime, end: number): Promise<void> {
  time.at(end, () => {})
  while (time.now() < end && time.step()) for (let turn = 0; turn < 4; turn++) await setImmediate()
}

function mostWithin(windowMs: number, { requests }: Service): number {
  const moments = requests.map(({ at }) => at)
  return Math.max(...moments.map((end) => moments.filter((at) => at > end - windowMs && at <= end).length))
}

test('a day’s pace stays within both windows, as the service itself counts them, and uses the hour', async () => {
  const time = createVirtualTime(START)
  const service = serviceOn(time)
  const kill = begin(time, service, createMemoryBudgetStore())
  await runUntil(time, START + 2 * HOUR)
  kill()
  expect(service.requests.filter(({ status }) => status === 429)).toEqual([])
  expect(mostWithin(HOUR, service)).toBeLessThanOrEqual(600)
  expect(mostWithin(HOUR, service)).toBeGreaterThan(550)
  expect(mostWithin(1000, service)).toBeLessThanOrEqual(10)
})

test('a process that dies every few seconds for an hour never exceeds it either', async () => {
  const time = createVirtualTime(START)
  const service = serviceOn(time)
  const store = createMemoryBudgetStore()
  for (let life = 0; life < 400; life += 1) {
    const kill = begin(time, service, store)
    await runUntil(time, time.now() + 9_000)
    kill()
  }
  expect(service.requests.filter(({ status }) => status === 429)).toEqual([])
  expect(mostWithin(HOUR, service)).toBeLessThanOrEqual(600)
}, 60_000)

test('a service that refuses in spite of it is left alone for as long as it says', async () => {
  const time = createVirtualTime(START)
  const service = serviceOn(time)
  service.setFaults([parseFault('status=429*1')])
  const kill = begin(time, service, createMemoryBudgetStore())
  await runUntil(time, START + 30 * MINUTE)
  kill()
  const refusedAt = service.requests.find(({ status }) => status === 429)?.at ?? Infinity
  const next = service.requests.find(({ at }) => at > refusedAt)
  expect((next?.at ?? 0) - refusedAt).toBeGreaterThanOrEqual(MINUTE)
})

test('nor when the service counts each request at its worst moment between the sending and the end of the answer', async () => {
  const time = createVirtualTime(START)
  const spans: { from: number; to: number }[] = []
  const slowed =
    (transport: Transport): Transport =>
    async (request) => {
      const span = { from: time.now(), to: Infinity }
      spans.push(span)
      // From no time at all to a second and a half, one after the other.
      await new Promise<void>((resolve) => time.after(((spans.length * 7) % 31) * 50, resolve))
      const response = await transport(request)
      span.to = time.now()
      return response
    }
  const kill = begin(time, serviceOn(time), createMemoryBudgetStore(), slowed)
  await runUntil(time, START + 3 * HOUR)
  kill()
  const worst = (windowMs: number) =>
    Math.max(
      ...spans.map((last) => spans.filter(({ from, to }) => from <= last.from && to >= last.from - windowMs).length),
    )
  expect(worst(1.005 * HOUR)).toBeLessThanOrEqual(600)
  expect(worst(1.005 * 1000)).toBeLessThanOrEqual(10)
  expect(spans.filter(({ from }) => from >= START + 2 * HOUR).length).toBeGreaterThan(0.98 * 600)
}, 60_000)
