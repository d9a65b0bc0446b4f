import fc from 'fast-check'
import { expect, it } from 'vitest'
import { momentText, stockholmClock, stockholmDay } from './stockholm'

const shown = (ms: number) => momentText(stockholmClock(ms))
const intl = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Stockholm', dateStyle: 'short', timeStyle: 'short' })

it('the clock in Stockholm is what Intl says, in whatever order moments come', () => {
  const anyMoment = fc.integer({ min: Date.UTC(1997, 0, 1), max: Date.UTC(2090, 0, 1) })
  fc.assert(
    fc.property(fc.array(anyMoment, { minLength: 1 }), (moments) => {
      expect(moments.map(shown)).toEqual(moments.map((ms) => intl.format(ms)))
      expect(moments.map(stockholmDay)).toEqual(moments.map((ms) => intl.format(ms).slice(0, 10)))
    }),
    { numRuns: 500 },
  )
})

it('the clock follows the rule for summer time as the time zone does, at every hour around each change', () => {
  const hours = Array.from({ length: 14 * 24 }, (_, hour) => hour)
  const moments = Array.from({ length: 41 }, (_, count) => 1997 + count).flatMap((year) =>
    [2, 9].flatMap((month) => hours.map((hour) => Date.UTC(year, month, 20, hour, 59, 59, 999))),
  )
  expect(moments.filter((ms) => shown(ms) !== intl.format(ms))).toEqual([])
})
