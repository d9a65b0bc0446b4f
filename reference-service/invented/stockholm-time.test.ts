import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clockChanges, stockholmOffsetMs, stockholmToUtc } from './stockholm-time'

describe('the clock in Stockholm', () => {
  it('the clocks change on the last Sundays of March and October at 01:00 UTC', () => {
    expect(clockChanges(2026)).toEqual({ toSummer: Date.UTC(2026, 2, 29, 1), toWinter: Date.UTC(2026, 9, 25, 1) })
    expect(clockChanges(2024)).toEqual({ toSummer: Date.UTC(2024, 2, 31, 1), toWinter: Date.UTC(2024, 9, 27, 1) })
  })

  it('the offset is that of Europe/Stockholm at every moment, and there is a way back', () => {
    const format = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Stockholm', hour: 'numeric', hourCycle: 'h23' })
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) }), (utcMs) => {
        const localMs = utcMs + stockholmOffsetMs(utcMs)
        expect(new Date(localMs).getUTCHours()).toBe(Number(format.format(utcMs)))
        // In the hour that comes twice, either of the two moments shows the reading.
        const back = stockholmToUtc(localMs)
        expect(back + stockholmOffsetMs(back)).toBe(localMs)
      }),
    )
  })
})
