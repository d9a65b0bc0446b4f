import { expect, test } from 'vitest'
import { classifyMinor, listYearChoices } from './enrollment-year'

test.each([
  ['under-16', [2027, 2028, 2042]],
  ['may-be-under-16', [2026]],
  [null, [2025, null, 9999, 0, -1]],
])('in 2026 a pupil is %s who begins in %o', (age, years) => {
  expect(years.map((year) => classifyMinor(year, 2026))).toEqual(years.map(() => age))
})

test('last year and the four to come are offered, and any that leads have', () => {
  expect(listYearChoices(2026, [2027, 1027])).toEqual([1027, 2025, 2026, 2027, 2028, 2029, 2030])
})
