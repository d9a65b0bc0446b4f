import { expect, test } from 'vitest'
import { chooseGreeting, splitDuration, toFirstName } from './day-texts'

test.each([
  ['2026-11-20T04:00:00Z', 'morning'],
  ['2026-07-20T02:59:00Z', 'day'],
  ['2026-11-20T09:00:00Z', 'day'],
  ['2026-11-20T16:00:00Z', 'evening'],
])('users are greeted by the clock in Stockholm: at %s %s', (at, greeting) => {
  expect(chooseGreeting(Date.parse(at))).toBe(greeting)
})

test('users are called by their first name', () => {
  expect(['Sara Lind', ' Åsa ', 'eva@skolan.se', ''].map(toFirstName)).toEqual(['Sara', 'Åsa', 'eva', ''])
})

test.each([
  [340, { days: 0, hours: 5, minutes: 40 }],
  [18 * 60 + 33, { days: 0, hours: 19, minutes: 0 }],
  [3 * 1440, { days: 3, hours: 0, minutes: 0 }],
])('%i minutes are %o', (minutes, units) => expect(splitDuration(minutes)).toEqual(units))
