import { expect, test } from 'vitest'
import { momentText, stockholmClock, stockholmDay } from './stockholm'

test('the clock in Stockholm is what Intl says, at every hour around each change, in whatever order moments come', () => {
  const intl = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Stockholm',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const hours = Array.from({ length: 14 * 24 }, (_, hour) => hour)
  const moments = Array.from({ length: 41 }, (_, count) => 1997 + count).flatMap((year) =>
    [2, 9].flatMap((month) => hours.map((hour) => Date.UTC(year, month, 20, hour, 59, 59, 999))),
  )
  const mixed = moments.toSorted((a, b) => (a % 7_919) - (b % 7_919))
  for (const ordered of [moments, mixed])
    expect(ordered.map((ms) => momentText(stockholmClock(ms)))).toEqual(ordered.map((ms) => intl.format(ms)))
  expect(mixed.map(stockholmDay)).toEqual(mixed.map((ms) => intl.format(ms).slice(0, 10)))
})
