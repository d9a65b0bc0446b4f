import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stockholmDay } from '@/lib/time/stockholm-day'
import { createStockholmEpochDay, dayText, epochDay, epochDayOf } from './epoch-day'

const HOUR = 3_600_000

describe('the number of a day', () => {
  it('is that of the Stockholm calendar, also around clock changes, in whatever order moments come', () => {
    const changes = [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1), Date.UTC(2025, 9, 26, 1)]
    const nearChange = fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -30 * HOUR, max: 30 * HOUR }))
      .map(([change, away]) => change + away)
    const anyMoment = fc.integer({ min: Date.UTC(1901, 0, 1), max: Date.UTC(2090, 0, 1) })
    fc.assert(
      fc.property(fc.array(fc.oneof(nearChange, anyMoment), { minLength: 1 }), (moments) => {
        const dayOf = createStockholmEpochDay()
        expect(moments.map((ms) => dayText(dayOf(ms)))).toEqual(moments.map(stockholmDay))
      }),
      { numRuns: 500 },
    )
  })

  it('counts a night without its third hour and one with two of them as one day each', () => {
    const dayOf = createStockholmEpochDay()
    const before = dayOf(Date.UTC(2026, 2, 28, 22, 59))
    expect(dayOf(Date.UTC(2026, 2, 28, 23, 0))).toBe(before + 1)
    expect(dayOf(Date.UTC(2026, 2, 29, 21, 59))).toBe(before + 1)
    expect(dayOf(Date.UTC(2026, 2, 29, 22, 0))).toBe(before + 2)
  })

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
