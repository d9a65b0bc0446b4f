import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limitPace, refreshIntervals, splitWeight } from './feed'

const HOUR = 3_600_000
const perHour = (intervals: { askedQuestions: number; declarations: number }) =>
  HOUR / intervals.askedQuestions + HOUR / intervals.declarations
const meanDelay = (rates: [number, number], intervals: [number, number]) =>
  (rates[0] * intervals[0] + rates[1] * intervals[1]) / (2 * (rates[0] + rates[1]))

test('the whole budget is spent, whatever the rates', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.double({ min: 0, max: 1e6, noNaN: true }), (a, b) => {
      expect(perHour(refreshIntervals({ askedQuestions: a, declarations: b }, 558))).toBeCloseTo(558, 6)
    }),
  )
})

test('no split of the budget gives new leads a shorter mean delay', () => {
  for (const rates of [
    [1, 1],
    [1, 3],
    [10, 90],
    [40, 20],
  ] as [number, number][]) {
    const best = refreshIntervals({ askedQuestions: rates[0], declarations: rates[1] }, 600)
    const delay = meanDelay(rates, [best.askedQuestions, best.declarations])
    for (let share = 0.05; share < 1; share += 0.05) {
      const other = meanDelay(rates, [HOUR / (600 * share), HOUR / (600 * (1 - share))])
      expect(delay).toBeLessThanOrEqual(other + 1e-6)
    }
  }
})

test('a list that is quiet for days is still looked at several times a minute', () => {
  const { askedQuestions } = refreshIntervals({ askedQuestions: 0, declarations: 1000 }, 558)
  expect(askedQuestions).toBeLessThan(60_000)
})

test('a slow fetch makes the interval longer, never more than a fifth of the time is spent fetching', () => {
  expect(limitPace(10_000, 500)).toBe(10_000)
  expect(limitPace(10_000, 30_000)).toBe(150_000)
})

test('a night or a weekend of silence changes no split', () => {
  const evening = Date.UTC(2026, 10, 20, 22)
  const every = (minutes: number) =>
    Float64Array.from({ length: 2_000 }, (_, index) => evening - index * minutes * 60_000)
  const split = (now: number) =>
    refreshIntervals({ askedQuestions: splitWeight(every(45), now), declarations: splitWeight(every(15), now) }, 558)
  expect(split(evening + 12 * HOUR).declarations / split(evening).declarations).toBeCloseTo(1, 1)
})

describe('what the requests are split by', () => {
  const now = Date.UTC(2026, 6, 20, 12)
  const every = (hours: number, from = now) =>
    Float64Array.from({ length: 8_000 }, (_, index) => from - index * hours * HOUR)
  const share = (questions: Float64Array, declarations: Float64Array) => {
    const rates = { askedQuestions: splitWeight(questions, now), declarations: splitWeight(declarations, now) }
    return HOUR / refreshIntervals(rates, 600).askedQuestions / 600
  }

  test('is the arrivals of the last days, when there are many', () => {
    expect(share(every(0.3), every(0.1))).toBeCloseTo(1 / (1 + Math.sqrt(3)), 2)
  })

  test('is hardly moved by chance when there are few', () => {
    const few = share(every(12), every(4))
    expect(few).toBeLessThan(0.5)
    const withOneMore = share(Float64Array.of(now, ...every(12)), every(4))
    expect(withOneMore - few).toBeLessThan(0.01)
    expect(share(Float64Array.of(), Float64Array.of())).toBe(0.5)
  })

  test('follows the seasons: a list that went silent a fortnight ago counts as little as one that never spoke', () => {
    const before = splitWeight(every(0.1, now - 14 * 24 * HOUR), now)
    expect(before).toBeLessThan(splitWeight(Float64Array.of(), now) * 1.8)
  })
})
