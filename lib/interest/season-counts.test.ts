import { describe, expect, test } from 'vitest'
import { defaultAdmissionCycle } from '@/lib/contract/settings'
import { epochDay } from '@/lib/time/stockholm'
import { dayZero } from './cohort'
import { exact, rounded } from './rounding'
import { countAt, isSeenFrom, seasonDays, seasonOf } from './season-counts'

const cycle = defaultAdmissionCycle
const zero = dayZero(2027, cycle)
const on = (day: string, count: number) => Array.from({ length: count }, () => epochDay(day))
const days = [...on('2026-06-01', 12), ...on('2026-09-18', 3), ...on('2026-11-20', 5), ...on('2026-11-21', 6)]
const season = seasonDays(2027, cycle, epochDay('2026-11-21'))

describe('a season', () => {
  test('is the admission year from the week in which it begins, by days from the last day to apply', () => {
    expect(season).toEqual({ first: -153, last: 212, today: -86 })
    expect((season.first - 1) % 7).toBe(-0)
  })

  test('begins with what came earlier, and ends today or with the year', () => {
    const counts = seasonOf(days, zero, season, season.today, exact)
    expect(counts).toHaveLength(-86 + 153 + 1)
    expect([counts.at(0), counts.at(4), counts.at(-2), counts.at(-1)]).toEqual([12, 15, 20, 26])
    expect(seasonOf(days, zero, season, 400, exact)).toHaveLength(212 + 153 + 1)
    expect(seasonOf(days, zero, season, season.first - 1, exact)).toEqual([])
  })

  test('has for managers the rounded ends of weeks and of today, and lines between them', () => {
    const counts = seasonOf(days, zero, season, season.today, rounded)
    const knots = [6, 13, counts.length - 6, counts.length - 1].map((place) => counts[place])
    expect(knots).toEqual([15, 15, 15, 25])
    expect(counts.at(-2)).toBeCloseTo(15 + (25 - 15) * (4 / 5))
  })

  test('is compared by distance, not by date: a leap day in between moves the point', () => {
    const came = on('2028-03-16', 1)
    const at = (day: string) => countAt(came, dayZero(2028, cycle), epochDay(day) - dayZero(2029, cycle), exact)
    expect([at('2029-03-16'), at('2029-03-17')]).toEqual([0, 1])
  })

  test('has a day of a week from its two ends, where those alone are known', () => {
    const [before, after] = [-91, -84]
    expect([before, after].map((day) => countAt(days, zero, day, rounded))).toEqual([15, 25])
    expect(countAt(days, zero, before + 3, rounded)).toBeCloseTo(15 + (10 * 3) / 7)
  })
})

test('a year counts as seen from its beginning if something came in its first weeks', () => {
  expect([isSeenFrom(0, 3), isSeenFrom(0, 200), isSeenFrom(0)]).toEqual([true, false, false])
})
