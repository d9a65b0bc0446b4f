import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from './durations'
import {
  addDays,
  countDaysSince,
  formatIsoDay,
  parseIsoDay,
  FIRST_DAY,
  FIRST_MOMENT,
  formatClock,
  LAST_DAY,
  LAST_MOMENT,
  toStockholmClock,
  toStockholmDay,
  endOfStockholmDay,
  startOfStockholmDay,
  toStockholmEpochDay,
} from './stockholm'
import { anyEpochDay, anyMoment } from './testing/arbitrary-days'
import { findMonday, formatIsoWeek, toEpochDay } from './weeks'

const [FIRST, LAST] = [parseIsoDay(FIRST_DAY), parseIsoDay(LAST_DAY)]

test('the number of every day leads back to it, no day is beyond the calendar, and its week begins on a Monday', () => {
  const anySpan = fc.oneof(fc.integer({ min: -10, max: 10 }), fc.integer({ min: -5_000_000, max: 5_000_000 }))
  fc.assert(
    fc.property(anyEpochDay, anySpan, (number, span) => {
      const day = formatIsoDay(number)
      expect([day, parseIsoDay(day)]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/), number])
      expect(parseIsoDay(addDays(day, span))).toBe(Math.min(LAST, Math.max(FIRST, number + span)))
      const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
      expect(toEpochDay(year, month, date)).toBe(number)
      expect(formatIsoWeek(number)).toMatch(/^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/)
      const monday = findMonday(number)
      expect(new Date(monday * DAY_MS).getUTCDay()).toBe(1)
      // The calendar begins with a weekend.
      expect(number - monday).toBeGreaterThanOrEqual(number < FIRST + 2 ? -2 : 0)
      expect(number - monday).toBeLessThan(7)
    }),
    { numRuns: 2_000 },
  )
  expect(toEpochDay(-2_000_000_000, 2, 15), 'years without a calendar').toBeLessThan(toEpochDay(-1_999_999_999, 2, 15))
})

test('every moment is on one day of Stockholm, and the next day begins where it ends', () => {
  fc.assert(
    fc.property(anyMoment, anyMoment, (ms, now) => {
      const day = toStockholmDay(ms)
      expect(parseIsoDay(day)).toBe(toStockholmEpochDay(ms))
      expect(formatClock(toStockholmClock(ms))).toMatch(new RegExp(`^${day} ([01]\\d|2[0-3]):[0-5]\\d$`))
      expect(countDaysSince(new Date(ms).toISOString(), now)).toBe(toStockholmEpochDay(now) - toStockholmEpochDay(ms))
      const [start, end] = [startOfStockholmDay(day), endOfStockholmDay(day)]
      expect([start >= FIRST_MOMENT, start <= ms, ms <= end, end <= LAST_MOMENT]).not.toContain(false)
      expect([start, end, end + 1].map(toStockholmDay)).toEqual([day, day, addDays(day, 1)])
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['2026-11-21', '2026-W47'],
  ['2027-01-01', '2026-W53'],
  ['2024-12-30', '2025-W01'],
])('the ISO week of %s is %s', (day, week) => expect(formatIsoWeek(parseIsoDay(day))).toBe(week))

test('the clock in Stockholm is what Intl says, at every hour around each change, in whatever order moments come', () => {
  const intl = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Stockholm',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const moments = Array.from({ length: 41 }, (_, count) => 1997 + count).flatMap((year) =>
    [2, 9].flatMap((month) =>
      Array.from({ length: 14 * 24 }, (_, hour) => Date.UTC(year, month, 20, hour, 59, 59, 999)),
    ),
  )
  const shuffled = moments.toSorted((a, b) => (a % 7_919) - (b % 7_919))
  const isWrong = (ms: number) => formatClock(toStockholmClock(ms)) !== intl.format(ms)
  expect([...moments, ...shuffled].filter(isWrong).slice(0, 5)).toEqual([])
})
