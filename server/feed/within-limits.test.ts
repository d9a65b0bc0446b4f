import { expect, test } from 'vitest'
import { feedWorld } from '@/server/feed/testing/feed-world'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** The service's clock may run so much slower than ours without harm. */
const SLOWER = 1.005

function world(answerMs: (count: number) => number) {
  const its = feedWorld({ answerMs })
  const { time, service, spans } = its
  async function live(ms: number): Promise<void> {
    const { markWatched, stop } = its.begin('ours')
    const end = time.now() + ms
    for (let at = time.now(); at < end; at += MINUTE / 2) time.at(at, markWatched)
    await its.runUntil(end)
    stop()
  }
  /** What the service counts within a window, when it takes the worst moment between each sending and the end of its answer. */
  const mostWithin = (windowMs: number) =>
    Math.max(
      ...spans.map((last) => spans.filter(({ from, to }) => from <= last.from && to >= last.from - windowMs).length),
    )
  const refusedAt = () => service.requests.find(({ status }) => status === 429)?.at
  return { ...its, live, mostWithin, refusedAt }
}

test('three hours at full pace use the hour and exceed no window, whenever the service counts a request', async () => {
  // From no time at all to a second and a half, one after the other.
  const { live, mostWithin, refusedAt, problems, spans, time } = world((count) => ((count * 7) % 31) * 50)
  const lastHour = time.now() + 2 * HOUR
  await live(3 * HOUR)
  expect([refusedAt(), problems]).toEqual([undefined, []])
  expect(mostWithin(SLOWER * HOUR)).toBeLessThanOrEqual(600)
  expect(mostWithin(SLOWER * SECOND)).toBeLessThanOrEqual(10)
  expect(spans.filter(({ from }) => from >= lastHour).length).toBeGreaterThan(0.98 * 600)
}, 60_000)

test('a process that dies every few seconds for an hour never exceeds it either', async () => {
  const { live, mostWithin, refusedAt } = world(() => 0)
  for (let life = 0; life < 400; life += 1) await live(9 * SECOND)
  expect(refusedAt()).toBeUndefined()
  expect(mostWithin(HOUR)).toBeLessThanOrEqual(600)
}, 60_000)

test('a service that refuses in spite of it is left alone for as long as it says', async () => {
  const { service, live, refusedAt } = world(() => 0)
  service.setFaults([{ name: 'status', status: 429, times: 1 }])
  await live(30 * MINUTE)
  const refused = refusedAt() ?? Infinity
  const next = service.requests.find(({ at }) => at > refused)
  expect((next?.at ?? 0) - refused).toBeGreaterThanOrEqual(MINUTE)
})
