import { expect, test } from 'vitest'
import { stockholmEpochDay } from './stockholm'
import { epochDayOf, isoWeek } from './weeks'

test.each([
  ['2026-11-21T12:00:00Z', '2026-W47'],
  ['2026-12-31T12:00:00Z', '2026-W53'],
  ['2027-01-01T12:00:00Z', '2026-W53'],
  ['2027-01-04T12:00:00Z', '2027-W01'],
  ['2024-12-30T12:00:00Z', '2025-W01'],
  ['2023-01-01T12:00:00Z', '2022-W52'],
])('the ISO week of %s is %s, by the clock in Stockholm', (moment, week) => {
  expect(isoWeek(stockholmEpochDay(Date.parse(moment)))).toBe(week)
})

test('a date is known in years that no calendar has', () => {
  expect(epochDayOf(-2_000_000_000, 2, 15)).toBeLessThan(epochDayOf(-1_999_999_999, 2, 15))
})
