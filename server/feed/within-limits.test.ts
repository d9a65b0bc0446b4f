import { expect, test } from 'vitest'
import { feedWorld, START } from '@/server/feed/testing/feed-world'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
/** The service's clock may run so much slower than ours without harm. */
const SLOWER = 1.005

test('three hours at full pace use the hour and exceed no window, whenever the service counts a request', async () => {
  // From no time at all to a second and a half, one after the other.
  const { time, service, problems, spans, begin, runUntil } = feedWorld({
    answerMs: (count) => ((count * 7) % 31) * 50,
  })
  const feed = begin('ours')
  const end = START + 3 * HOUR
  for (let at = START; at < end; at += 30 * SECOND) time.scheduleAt(at, feed.markWatched)
  await runUntil(end)
  feed.stop()
  /** If it takes the worst moment between each sending and the end of its answer. */
  const mostWithin = (windowMs: number) =>
    Math.max(
      ...spans.map(
        (last) =>
          spans.filter(({ startedAt, endedAt }) => startedAt <= last.startedAt && endedAt >= last.startedAt - windowMs)
            .length,
      ),
    )
  expect(mostWithin(SLOWER * HOUR)).toBeLessThanOrEqual(600)
  expect(mostWithin(SLOWER * SECOND)).toBeLessThanOrEqual(10)
  expect(problems).toEqual([])
  expect(service.requests.filter(({ status }) => status === 429)).toEqual([])
  expect(spans.filter(({ startedAt }) => startedAt >= START + 2 * HOUR).length).toBeGreaterThan(0.98 * 600)
}, 60_000)
