import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FIRST_DAY, FIRST_MOMENT, LAST_DAY } from './stockholm'
import { anyDay } from './testing/arbitrary-days'
import { addWorkingDays, findDueDay, findLateBefore } from './working-days'

test.each([
  ['2026-11-20', 1, '2026-11-23', 'from Friday to Monday'],
  ['2026-11-21', 2, '2026-11-24', 'from Saturday to Tuesday'],
  ['2026-12-23', 2, '2026-12-29', 'over Christmas'],
])('from %s, %i working days end on %s: %s', (day, count, end) => {
  expect(addWorkingDays(day, count)).toBe(end)
})

test('one moment separates late leads from others on any day, also on the first and the last', () => {
  const anyEnd = fc.oneof(fc.constantFrom(FIRST_DAY, LAST_DAY), anyDay)
  fc.assert(
    fc.property(anyEnd, fc.integer({ min: 1, max: 60 }), (today, goal) => {
      const late = findLateBefore(today, goal)
      // A lead of a millisecond before is late, and one of that moment is not.
      const isLate = (ms: number) => ms >= FIRST_MOMENT && findDueDay(ms, goal) < today
      expect([isLate(late - 1), isLate(Math.max(late, FIRST_MOMENT))]).toEqual([late > FIRST_MOMENT, false])
    }),
    { numRuns: 100 },
  )
})
