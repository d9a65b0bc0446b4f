import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { epochDay, stockholmEpochDay } from './stockholm'
import { epochDayOf, isoWeek, mondayOf, mondayOfWeek } from './weeks'

describe('an ISO week', () => {
  it.each([
    ['2026-11-21', '2026-W47'],
    ['2026-12-31', '2026-W53'],
    ['2027-01-01', '2026-W53'],
    ['2027-01-04', '2027-W01'],
    ['2024-12-30', '2025-W01'],
    ['2023-01-01', '2022-W52'],
  ])('of %s is %s', (day, week) => {
    expect(isoWeek(epochDay(day))).toBe(week)
  })

  it.each([
    ['2026-11-15T22:30:00Z', '2026-W46'],
    ['2026-11-15T23:30:00Z', '2026-W47'],
    ['2026-03-29T21:30:00Z', '2026-W13'],
    ['2026-03-29T22:30:00Z', '2026-W14'],
    ['2026-10-25T22:30:00Z', '2026-W43'],
    ['2026-10-25T23:30:00Z', '2026-W44'],
    ['2027-01-03T23:30:00Z', '2027-W01'],
    ['2024-02-29T23:30:00Z', '2024-W09'],
  ])('of the moment %s is %s, by the clock in Stockholm', (moment, week) => {
    expect(isoWeek(stockholmEpochDay(Date.parse(moment)))).toBe(week)
  })

  it('begins on a Monday, and its name leads back to it', () => {
    fc.assert(
      fc.property(fc.integer({ min: -20_000, max: 60_000 }), (day) => {
        const monday = mondayOf(day)
        expect(new Date(monday * 86_400_000).getUTCDay()).toBe(1)
        expect(day - monday).toBeGreaterThanOrEqual(0)
        expect(day - monday).toBeLessThan(7)
        expect(mondayOfWeek(isoWeek(day))).toBe(monday)
      }),
    )
  })
})

describe('a date of any year', () => {
  it('is known for every year, also such as no calendar has', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
        const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-15`
        expect(epochDayOf(year, month, 15)).toBe(epochDay(text))
      }),
    )
    expect(epochDayOf(-2_000_000_000, 2, 15)).toBeLessThan(epochDayOf(-1_999_999_999, 2, 15))
  })
})
