import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSharedWorld } from '@/server/feed/testing/shared-world'
import { readSnapshot } from './feed'
import { createEmptyListState, type ListState } from './list-state'
import { computeRefreshIntervals, stretchInterval, weighRecentLeads } from './refresh-intervals'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test('while nobody looks it is slow; the first look after it fetches at once', async () => {
  const its = createSharedWorld()
  const { feed } = its.startInstance('alone', { isWatched: false })
  const countFetches = () => its.requestsFor('declarations-of-interest').length
  await its.run(58 * MINUTE)
  const before = countFetches()
  expect(before).toBeLessThanOrEqual(13)
  feed.markWatched()
  await its.run(100)
  expect(countFetches()).toBe(before + 1)
})

test('a read before the first answer fails with the time of the next fetch', async () => {
  const feed = { markWatched: () => {}, waitForLists: () => Promise.resolve() }
  const now = () => 1_000
  const problem = { kind: 'rate-limited', since: 0, detail: 'status 429' } as const
  const read = (state: Partial<ListState<never>>) =>
    readSnapshot({ feed, now }, () => ({ ...createEmptyListState<never>(), ...state }))
  await expect(read({})).rejects.toMatchObject({ retryAfterSeconds: 5 })
  await expect(read({ problem, nextAt: 600_500 })).rejects.toMatchObject({ retryAfterSeconds: 600 })
  await expect(read({ problem, nextAt: null })).rejects.toMatchObject({ retryAfterSeconds: 5 })
})

describe('the split of the requests between two lists', () => {
  const now = Date.UTC(2026, 6, 20, 12)
  const arrivals = (everyHours: number, until = now) =>
    Float64Array.from({ length: 8_000 }, (_, index) => until - index * everyHours * HOUR)

  test('spends all of them, and leaves a list that is quiet for days several a minute', () => {
    const anyRate = fc.double({ min: 1, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(anyRate, anyRate, (a, b) => {
        const { askedQuestions, declarations } = computeRefreshIntervals({ askedQuestions: a, declarations: b }, 558)
        expect(HOUR / askedQuestions + HOUR / declarations).toBeCloseTo(558, 6)
        expect(Math.max(askedQuestions, declarations)).toBeLessThan(MINUTE)
      }),
    )
  })

  test.each([
    [1, 1],
    [1, 3],
    [10, 90],
    [40, 20],
  ])('gives new leads that come at rates of %i and %i the shortest mean delay', (a, b) => {
    const meanDelay = (questionsMs: number, declarationsMs: number) => (a * questionsMs + b * declarationsMs) / (a + b)
    const best = computeRefreshIntervals({ askedQuestions: a, declarations: b }, 600)
    const delay = meanDelay(best.askedQuestions, best.declarations)
    for (let part = 0.05; part < 1; part += 0.05)
      expect(delay).toBeLessThanOrEqual(meanDelay(HOUR / (600 * part), HOUR / (600 * (1 - part))) + 1e-6)
  })

  test('goes by the arrivals of the last days, hardly by chance where they are few, and keeps through a night of silence', () => {
    const share = (questions: Float64Array, declarations: Float64Array, at = now) => {
      const rates = {
        askedQuestions: weighRecentLeads(questions, at),
        declarations: weighRecentLeads(declarations, at),
      }
      return HOUR / computeRefreshIntervals(rates, 600).askedQuestions / 600
    }
    expect(share(arrivals(0.3), arrivals(0.1))).toBeCloseTo(1 / (1 + Math.sqrt(3)), 2)
    expect(share(arrivals(0.3), arrivals(0.1), now + 12 * HOUR)).toBeCloseTo(share(arrivals(0.3), arrivals(0.1)), 1)
    const few = share(arrivals(12), arrivals(4))
    expect(few).toBeLessThan(0.5)
    expect(share(Float64Array.of(now, ...arrivals(12)), arrivals(4)) - few).toBeLessThan(0.01)
  })

  test('forgets a list that went silent a fortnight ago', () => {
    const silent = weighRecentLeads(arrivals(0.1, now - 14 * DAY), now)
    expect(silent).toBeLessThan(weighRecentLeads(Float64Array.of(), now) * 1.8)
  })
})

test('no more than a fifth of the time is spent fetching', () => {
  expect(stretchInterval(10_000, 500)).toBe(10_000)
  expect(stretchInterval(10_000, 30_000)).toBe(150_000)
})
