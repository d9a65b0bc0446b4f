import { expect, test } from 'vitest'
import { formatMoment, stockholmClock, stockholmDay } from './stockholm'

test('the clock in Stockholm is what Intl says, at every hour around each change, in whatever order moments come', () => {
  const intl = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Stockholm',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const isWrong = (ms: number) => {
    const expected = intl.format(ms)
    return formatMoment(stockholmClock(ms)) !== expected || stockholmDay(ms) !== expected.slice(0, 10)
  }
  const hours = Array.from({ length: 14 * 24 }, (_, hour) => hour)
  const moments = Array.from({ length: 41 }, (_, count) => 1997 + count).flatMap((year) =>
    [2, 9].flatMap((month) => hours.map((hour) => Date.UTC(year, month, 20, hour, 59, 59, 999))),
  )
  expect(moments.filter(isWrong).slice(0, 5)).toEqual([])
  expect(
    moments
      .toSorted((a, b) => (a % 7_919) - (b % 7_919))
      .filter(isWrong)
      .slice(0, 5),
  ).toEqual([])
})
