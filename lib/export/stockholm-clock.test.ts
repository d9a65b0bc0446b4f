import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createStockholmClock, momentText } from './stockholm-clock'

describe('the moment of a lead', () => {
  const clock = createStockholmClock()
  test.each([
    ['2026-11-20T07:12:59.999Z', '2026-11-20 08:12'],
    ['2026-07-01T22:30:00.000Z', '2026-07-02 00:30'],
    ['2026-03-29T00:59:59.000Z', '2026-03-29 01:59'],
    ['2026-03-29T01:00:00.000Z', '2026-03-29 03:00'],
    ['2026-10-25T00:30:00.000Z', '2026-10-25 02:30'],
    ['2026-10-25T01:30:00.000Z', '2026-10-25 02:30'],
    ['2026-10-25T02:00:00.000Z', '2026-10-25 03:00'],
  ])('%s is shown as %s', (moment, shown) => expect(momentText(clock(Date.parse(moment)))).toBe(shown))

  test('is what Intl says, at any moment', () => {
    const intl = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Stockholm',
      dateStyle: 'short',
      timeStyle: 'short',
    })
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1996, 0), max: Date.UTC(2040, 0) }), (ms) => {
        expect(momentText(clock(ms))).toBe(intl.format(ms))
      }),
    )
  })
})
