import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { momentText, stockholmClock, stockholmDay } from './stockholm'

const HOUR = 3_600_000

describe('the clock in Stockholm', () => {
  const shown = (ms: number) => momentText(stockholmClock(ms))
  const intl = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Stockholm',
    dateStyle: 'short',
    timeStyle: 'short',
  })

  it('is what Intl says, also around clock changes, in whatever order moments come', () => {
    const changes = [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1), Date.UTC(2025, 9, 26, 1)]
    const nearChange = fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -30 * HOUR, max: 30 * HOUR }))
      .map(([change, away]) => change + away)
    const anyMoment = fc.integer({ min: Date.UTC(1997, 0, 1), max: Date.UTC(2090, 0, 1) })
    fc.assert(
      fc.property(fc.array(fc.oneof(nearChange, anyMoment), { minLength: 1 }), (moments) => {
        expect(moments.map(shown)).toEqual(moments.map((ms) => intl.format(ms)))
        expect(moments.map(stockholmDay)).toEqual(moments.map((ms) => intl.format(ms).slice(0, 10)))
      }),
      { numRuns: 500 },
    )
  })

  it('follows the rule for summer time as the time zone does, at every hour around each change', () => {
    const hours = Array.from({ length: 14 * 24 }, (_, hour) => hour)
    const moments = Array.from({ length: 41 }, (_, count) => 1997 + count).flatMap((year) =>
      [2, 9].flatMap((month) => hours.map((hour) => Date.UTC(year, month, 20, hour, 59, 59, 999))),
    )
    expect(moments.filter((ms) => shown(ms) !== intl.format(ms))).toEqual([])
  })
})
