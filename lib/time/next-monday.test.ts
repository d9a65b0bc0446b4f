import { expect, it } from 'vitest'
import { nextMonday } from './next-monday'

it.each([
  ['2026-11-20', '2026-11-23'],
  ['2026-11-22', '2026-11-23'],
  ['2026-11-23', '2026-11-30'],
  ['2026-12-29', '2027-01-04'],
])('after %s comes %s', (day, monday) => {
  expect(nextMonday(day)).toBe(monday)
})
