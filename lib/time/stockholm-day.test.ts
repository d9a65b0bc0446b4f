import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, stockholmDay, stockholmDayStart } from './stockholm-day'

const at = (iso: string) => Date.parse(iso)

describe('a day in Stockholm', () => {
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
