import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBudget } from './budget'
import { createUpstreamClient } from './client'
import { createFeed } from './feed'
import { createListSources } from './list-source'
import { singleInstanceLists } from './shared-lists'
import { createMemoryBudgetStore, type Span, countWorstCase } from './testing/budget-doubles'
import { createVirtualTime } from './testing/virtual-time'

const SECOND = 1_000
const HOUR = 3_600 * SECOND

test('three hours at full pace use the hour and exceed no window, whenever the service counts a request', async () => {
  const start = Date.UTC(2026, 10, 20, 7)
  const end = start + 3 * HOUR
  const time = createVirtualTime(start)
  const spans: Span[] = []
  const problems: unknown[] = []
  /** An answer takes from no time at all to a second and a half. */
  const transport = async () => {
    const span = { startedAt: time.now(), endedAt: Infinity }
    const answerMs = ((spans.push(span) * 7) % 31) * 50
    await new Promise<void>((resolve) => time.scheduleAfter(answerMs, resolve))
    span.endedAt = time.now()
    return Response.json({ askedQuestions: [], declarationsOfInterest: [], highSchools: [] })
  }
  const clock = { now: () => Math.floor(time.now()), monotonic: time.now }
  const budget = createBudget({
    limits: { perSecond: 10, perHour: 600 },
    clock,
    store: createMemoryBudgetStore(clock.now),
  })
  const client = createUpstreamClient({ baseUrl: 'http://service.invalid', token: 'token', transport, budget, clock })
  const feed = createFeed({
    sources: createListSources({ client, clock }),
    sharedLists: singleInstanceLists,
    requestsPerHour: budget.listFetchesPerHour,
    now: clock.now,
    schedule: time.scheduleAfter,
    random: () => 0,
    onChange: (_list, { problem }) => void (problem && problems.push(problem)),
    onError: (_list, error) => void problems.push(error),
  })
  feed.start()
  for (let moment = start; moment < end; moment += 30 * SECOND) time.scheduleAt(moment, feed.markWatched)
  do for (let turn = 0; turn < 12; turn++) await setImmediate()
  while (time.now() < end && time.step())
  feed.stop()

  expect(countWorstCase(spans, HOUR)).toBeLessThanOrEqual(600)
  expect(countWorstCase(spans, SECOND)).toBeLessThanOrEqual(10)
  expect(problems).toEqual([])
  expect(spans.filter(({ startedAt }) => startedAt >= start + 2 * HOUR).length).toBeGreaterThan(0.98 * 600)
}, 60_000)
