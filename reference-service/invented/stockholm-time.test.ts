import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stockholmOffsetMs, stockholmToUtc } from './stockholm-time'

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
