import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  daysSince,
  dayText,
  momentText,
  stockholmClock,
  stockholmDay,
  stockholmDayStart,
  stockholmEpochDay,
} from './stockholm'

const HOUR = 3_600_000
const at = (iso: string) => Date.parse(iso)

describe('a day in Stockholm', () => {
  it('is counted by the calendar, not by hours', () => {
    expect(daysSince('2026-11-19T22:30:00Z', at('2026-11-20T00:10:00Z'))).toBe(1)
    expect(daysSince('2026-10-24T10:00:00Z', at('2026-10-26T10:00:00Z'))).toBe(2)
  })

  it('begins an hour before UTC in winter and two in summer', () => {
    expect(stockholmDay(at('2026-11-19T22:59:59.999Z'))).toBe('2026-11-19')
    expect(stockholmDay(at('2026-11-19T23:00:00.000Z'))).toBe('2026-11-20')
    expect(stockholmDayStart('2026-11-20')).toBe(at('2026-11-19T23:00:00Z'))
    expect(stockholmDayStart('2026-07-01')).toBe(at('2026-06-30T22:00:00Z'))
  })

  it('has 23 hours when summer time begins and 25 when it ends', () => {
    const hours = (day: string) => (stockholmDayStart(addDays(day, 1)) - stockholmDayStart(day)) / 3_600_000
    expect(hours('2026-03-28')).toBe(24)
    expect(hours('2026-03-29')).toBe(23)
    expect(hours('2026-03-30')).toBe(24)
    expect(hours('2026-10-24')).toBe(24)
    expect(hours('2026-10-25')).toBe(25)
    expect(hours('2026-10-26')).toBe(24)
  })

  it('keeps both 02:30 of the long night on the same day', () => {
    expect(stockholmDay(at('2026-10-25T00:30:00Z'))).toBe('2026-10-25')
    expect(stockholmDay(at('2026-10-25T01:30:00Z'))).toBe('2026-10-25')
  })

  it('starts at the first of its moments, for every day from 1980 to 2100', () => {
    const days = fc.integer({ min: 0, max: 44_000 }).map((n) => addDays('1980-01-01', n))
    fc.assert(
      fc.property(days, (day) => {
        expect(stockholmDay(stockholmDayStart(day))).toBe(day)
        expect(stockholmDay(stockholmDayStart(day) - 1)).toBe(addDays(day, -1))
      }),
    )
  })

  it('counts over months, leap days and years', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
  })
})

describe('the moment of a lead', () => {
  it.each([
    ['2026-11-20T07:12:59.999Z', '2026-11-20 08:12'],
    ['2026-07-01T22:30:00.000Z', '2026-07-02 00:30'],
    ['2026-03-29T00:59:59.000Z', '2026-03-29 01:59'],
    ['2026-03-29T01:00:00.000Z', '2026-03-29 03:00'],
    ['2026-10-25T00:30:00.000Z', '2026-10-25 02:30'],
    ['2026-10-25T01:30:00.000Z', '2026-10-25 02:30'],
    ['2026-10-25T02:00:00.000Z', '2026-10-25 03:00'],
  ])('%s is shown as %s', (moment, shown) => expect(momentText(stockholmClock(Date.parse(moment)))).toBe(shown))

  it('is what Intl says, at any moment', () => {
    const intl = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Stockholm',
      dateStyle: 'short',
      timeStyle: 'short',
    })
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1901, 0), max: Date.UTC(2090, 0) }), (ms) => {
        expect(momentText(stockholmClock(ms))).toBe(intl.format(ms))
      }),
    )
  })
})

describe('the number of a day', () => {
  it('is that of the Stockholm calendar, also around clock changes, in whatever order moments come', () => {
    const changes = [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1), Date.UTC(2025, 9, 26, 1)]
    const nearChange = fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -30 * HOUR, max: 30 * HOUR }))
      .map(([change, away]) => change + away)
    const anyMoment = fc.integer({ min: Date.UTC(1901, 0, 1), max: Date.UTC(2090, 0, 1) })
    const intl = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Stockholm', dateStyle: 'short' })
    fc.assert(
      fc.property(fc.array(fc.oneof(nearChange, anyMoment), { minLength: 1 }), (moments) => {
        expect(moments.map((ms) => dayText(stockholmEpochDay(ms)))).toEqual(moments.map(stockholmDay))
        expect(moments.map(stockholmDay)).toEqual(moments.map((ms) => intl.format(ms)))
      }),
      { numRuns: 500 },
    )
  })

  it('counts a night without its third hour and one with two of them as one day each', () => {
    const before = stockholmEpochDay(Date.UTC(2026, 2, 28, 22, 59))
    expect(stockholmEpochDay(Date.UTC(2026, 2, 28, 23, 0))).toBe(before + 1)
    expect(stockholmEpochDay(Date.UTC(2026, 2, 29, 21, 59))).toBe(before + 1)
    expect(stockholmEpochDay(Date.UTC(2026, 2, 29, 22, 0))).toBe(before + 2)
  })
})

it('the rule for summer time is what the time zone says, at every hour around each change', () => {
  const intl = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Stockholm',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const years = Array.from({ length: 42 }, (_, count) => 1996 + count)
  const hours = Array.from({ length: 14 * 24 }, (_, hour) => hour)
  const moments = years.flatMap((year) =>
    [2, 9].flatMap((month) => hours.map((hour) => Date.UTC(year, month, 20, hour, 59, 59, 999))),
  )
  expect(moments.filter((ms) => momentText(stockholmClock(ms)) !== intl.format(ms))).toEqual([])
})
