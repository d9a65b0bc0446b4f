import { expect, test } from 'vitest'
import { inventData } from '@/reference-service/invented/data'
import { createReferenceService } from '@/reference-service/service'
import { createStore } from '@/reference-service/store'
import { feedWorld } from '@/server/feed/testing/feed-world'
import { createVirtualTime, type VirtualTime } from '@/server/feed/testing/virtual-time'

const START = Date.UTC(2026, 10, 20, 7)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

function serviceOn(time: VirtualTime) {
  const data = inventData({ tier: 'S', seed: 3, now: START })
  const source = createStore(data, new Map([['token', { label: 'ours', schools: 'all' }]]))
  const limits = { perSecond: 10, perHour: 600 }
  return { source, service: createReferenceService({ source, clock: time.now, limits, requestLogSize: 100_000 }) }
}

function world(answerMs: (count: number) => number = () => 0) {
  const time = createVirtualTime(START)
  const { service } = serviceOn(time)
  const its = feedWorld({ time, database: null, service: (request) => service.handle(request), answerMs })
  async function live(ms: number): Promise<void> {
    const { markWatched, stop } = its.begin('ours')
    const end = time.now() + ms
    for (let at = time.now(); at < end; at += MINUTE / 2) time.at(at, markWatched)
    await its.runUntil(end)
    stop()
  }
  const mostWithin = (windowMs: number) => {
    const moments = service.requests.map(({ at }) => at)
    return Math.max(...moments.map((end) => moments.filter((at) => at > end - windowMs && at <= end).length))
  }
  const refusedAt = () => service.requests.find(({ status }) => status === 429)?.at
  return { service, live, mostWithin, refusedAt, ...its }
}

test('a day’s pace stays within both windows, as the service itself counts them, and uses the hour', async () => {
  const { live, mostWithin, refusedAt, problems } = world()
  await live(2 * HOUR)
  expect([refusedAt(), problems]).toEqual([undefined, []])
  expect(mostWithin(HOUR)).toBeLessThanOrEqual(600)
  expect(mostWithin(HOUR)).toBeGreaterThan(550)
  expect(mostWithin(1000)).toBeLessThanOrEqual(10)
})

test('a process that dies every few seconds for an hour never exceeds it either', async () => {
  const { live, mostWithin, refusedAt } = world()
  for (let life = 0; life < 400; life += 1) await live(9_000)
  expect(refusedAt()).toBeUndefined()
  expect(mostWithin(HOUR)).toBeLessThanOrEqual(600)
}, 60_000)

test('a service that refuses in spite of it is left alone for as long as it says', async () => {
  const { service, live, refusedAt } = world()
  service.setFaults([{ name: 'status', status: 429, times: 1 }])
  await live(30 * MINUTE)
  const refused = refusedAt() ?? Infinity
  const next = service.requests.find(({ at }) => at > refused)
  expect((next?.at ?? 0) - refused).toBeGreaterThanOrEqual(MINUTE)
})

test('nor when the service counts each request at its worst moment between the sending and the end of the answer', async () => {
  // From no time at all to a second and a half, one after the other.
  const { live, spans } = world((count) => ((count * 7) % 31) * 50)
  await live(3 * HOUR)
  const worst = (windowMs: number) =>
    Math.max(
      ...spans.map((last) => spans.filter(({ from, to }) => from <= last.from && to >= last.from - windowMs).length),
    )
  expect(worst(1.005 * HOUR)).toBeLessThanOrEqual(600)
  expect(worst(1.005 * 1000)).toBeLessThanOrEqual(10)
  expect(spans.filter(({ from }) => from >= START + 2 * HOUR).length).toBeGreaterThan(0.98 * 600)
}, 60_000)
