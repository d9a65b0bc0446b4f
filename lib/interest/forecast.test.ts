import { describe, expect, test } from 'vitest'
import { computeCourse, computeForecast, FORECAST_CONFIDENCE } from './forecast'

/** So many by the end of each day, most of them in the middle of the year. */
const season = (year: number, size: number) => ({
  year,
  cumulative: Array.from({ length: 365 }, (_, day) => size * (0.5 - Math.cos((Math.PI * (day + 1)) / 365) / 2)),
})
const none = { low: Number.NaN, high: Number.NaN, expected: Number.NaN, years: [] }
const forecastFor = (...given: Parameters<typeof computeForecast>) => computeForecast(...given) ?? none
const widthOf = (...given: Parameters<typeof computeForecast>) => {
  const { low, high } = forecastFor(...given)
  return high - low
}
const soFar = (size: number, days: number) => ({ year: 2027, cumulative: season(2027, size).cumulative.slice(0, days) })
const inFives = (count: number) => 5 * Math.round(count / 5)

describe('the forecast', () => {
  test('goes on from here like earlier years did, at this year’s level', () => {
    const { low, high, expected, years } = forecastFor(soFar(1_200, 150), [season(2026, 1_000), season(2025, 1_000)])
    expect(expected).toBeGreaterThan(1_120)
    expect(expected).toBeLessThan(1_220)
    expect([low < 1_200, high > 1_200, years]).toEqual([true, true, [2026, 2025]])
  })

  test('narrows as the year goes on, and begins where this year is', () => {
    const earlier = [season(2026, 1_000), season(2025, 900)]
    const widths = [30, 120, 240, 330].map((days) => {
      const course = computeCourse(days - 1, earlier)
      expect([course[0], course.at(-1), course.length]).toEqual([0, 1, 365 - days + 1])
      return widthOf(soFar(1_000, days), earlier)
    })
    expect(widths).toEqual(widths.toSorted((a, b) => b - a))
  })

  test('is wider on one year than on three', () => {
    const years = [2026, 2025, 2024].map((year) => season(year, 1_000))
    expect(widthOf(soFar(1_000, 100), years.slice(0, 1))).toBeGreaterThan(widthOf(soFar(1_000, 100), years))
  })

  test('is silent without a year to go by, and where nothing more is to come', () => {
    expect(computeForecast(soFar(1_000, 100), [])).toBeNull()
    expect(computeForecast(soFar(1_000, 100), [season(2026, 24)])).toBeNull()
    for (const days of [0, 365]) expect(computeForecast(soFar(1_000, days), [season(2026, 1_000)])).toBeNull()
  })
})

test('the course is complete where exact counts no longer rise, though rounded ones still do', () => {
  expect(computeCourse(1, [{ year: 2026, cumulative: [27, 28, 28, 28] }])).toEqual([1, 1, 1])
})

describe('a range that says 80 %', () => {
  /** As days of an admission year weigh: applications come from mid January on, most of them by 15 February. */
  const weights = Array.from({ length: 366 }, (_, day) => (day < 121 ? 1 : day < 153 ? 7 : 0.4))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const RUSH = [134, 145] as const

  /** So many on average, each on a day by chance, all of them some days earlier or later. */
  function drawnSeason(year: number, shift: number, draw: () => number) {
    const counts = new Float64Array(weights.length)
    for (let at = 0; at < 1050; at++) {
      if (draw() > 2 / 3) continue
      let left = draw() * whole
      const day = weights.findIndex((weight) => (left -= weight) <= 0)
      const moved = Math.min(counts.length - 1, Math.max(0, day + shift))
      counts[moved] = (counts[moved] ?? 0) + 1
    }
    let sum = 0
    return { year, cumulative: [...counts].map((count) => inFives((sum += count))) }
  }

  test.each([1, 2, 3])('holds the outcome as often where the rush moves by four days, after %i years', (years) => {
    let state = 7
    const draw = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
    const [all, inRush]: [boolean[], boolean[]] = [[], []]
    for (let world = 0; world < 30; world++) {
      const earlier = Array.from({ length: years }, (_, ago) => drawnSeason(2026 - ago, 0, draw))
      for (const shift of [-4, 4]) {
        const { cumulative } = drawnSeason(2027, shift, draw)
        const truth = cumulative.at(-1) ?? 0
        for (let place = 20; place < 330; place += 3) {
          const forecast = computeForecast({ year: 2027, cumulative: cumulative.slice(0, place + 1) }, earlier)
          if (forecast === null) continue
          const isHeld = forecast.low <= truth && truth <= forecast.high
          all.push(isHeld)
          if (place >= RUSH[0] && place <= RUSH[1]) inRush.push(isHeld)
        }
      }
    }
    for (const held of [all, inRush])
      expect(held.filter(Boolean).length / held.length).toBeGreaterThan(FORECAST_CONFIDENCE)
  })
})

test('the range is wider where weeks differ by more than chance, but not by rounding', () => {
  const even = season(2026, 1_000)
  const jumpy = even.cumulative.map((count, day) => count + (Math.floor(day / 7) % 2) * 30)
  const few = season(2026, 100)
  const widthAfter = (counts: readonly number[], earlier: typeof even) =>
    widthOf({ year: 2027, cumulative: counts.slice(0, 150) }, [earlier])
  expect(widthAfter(jumpy, even)).toBeGreaterThan(1.5 * widthAfter(even.cumulative, even))
  expect(widthAfter(few.cumulative.map(inFives), few)).toBeLessThan(1.1 * widthAfter(few.cumulative, few))
})
