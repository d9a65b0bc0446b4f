import { describe, expect, test } from 'vitest'
import { courseFrom, forecastOf, noiseOf } from './forecast'

/** So many by the end of each day, most of them in the middle of the year. */
const season = (year: number, size: number) => ({
  year,
  blur: 0,
  cumulative: Array.from({ length: 365 }, (_, day) => size * (0.5 - Math.cos((Math.PI * (day + 1)) / 365) / 2)),
})
const forecastFor = (...given: Parameters<typeof forecastOf>) => {
  const forecast = forecastOf(...given)
  if (forecast === null) throw new Error('there is no forecast')
  return forecast
}
const soFar = (size: number, days: number) => ({ blur: 0, cumulative: season(0, size).cumulative.slice(0, days) })

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
      const { low, high } = forecastFor(soFar(1_000, days), earlier)
      const course = courseFrom(days - 1, earlier)
      expect([course[0], course.at(-1), course.length]).toEqual([0, 1, 365 - days + 1])
      return high - low
    })
    expect(widths).toEqual(widths.toSorted((a, b) => b - a))
  })

  test('is wider on one year than on three', () => {
    const widthOn = (...years: number[]) => {
      const { low, high } = forecastFor(
        soFar(1_000, 100),
        years.map((year) => season(year, 1_000)),
      )
      return high - low
    }
    expect(widthOn(2026)).toBeGreaterThan(widthOn(2026, 2025, 2024))
  })

  test('is silent without a year to go by, and where nothing more is to come', () => {
    expect(forecastOf(soFar(1_000, 100), [])).toBeNull()
    expect(forecastOf(soFar(1_000, 100), [season(2026, 24)])).toBeNull()
    expect(forecastOf(soFar(1_000, 365), [season(2026, 1_000)])).toBeNull()
    expect(forecastOf(soFar(1_000, 0), [season(2026, 1_000)])).toBeNull()
  })
})

test('noise is 1 where only chance is at work, and grows where weeks differ', () => {
  const even = season(2026, 1_000)
  const jumpy = even.cumulative.map((count, day) => count + (Math.floor(day / 7) % 2) * 30)
  expect(noiseOf(even, [even])).toBe(1)
  expect(noiseOf({ cumulative: jumpy, blur: 0 }, [even])).toBeGreaterThan(5)
})

test('rounding is no noise', () => {
  const inFives = (year: number) => {
    const { cumulative } = season(year, 100)
    return { year, cumulative: cumulative.map((count) => 5 * Math.round(count / 5)), blur: 25 / 6 }
  }
  expect(noiseOf(inFives(2026), [inFives(2025)])).toBeLessThan(1.2)
  expect(noiseOf({ ...inFives(2026), blur: 0 }, [{ ...season(2025, 100), blur: 0 }])).toBeGreaterThan(1.3)
})
