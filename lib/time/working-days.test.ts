import { expect, test } from 'vitest'
import { dueDay, isWorkingDay, lateBefore, workingDaysAfter } from './working-days'

const none = () => false
const christmas = (day: string) => ['12-24', '12-25', '12-26', '12-31', '01-01', '01-06'].includes(day.slice(5))

test('Saturdays, Sundays and holidays are no working days', () => {
  expect(isWorkingDay('2026-11-20', none), 'a Friday').toBe(true)
  expect(isWorkingDay('2026-11-21', none)).toBe(false)
  expect(isWorkingDay('2026-11-22', none)).toBe(false)
  expect(isWorkingDay('2026-12-24', christmas), 'a Thursday').toBe(false)
})

test('one working day after a Friday is Monday, and over Christmas it takes longer', () => {
  expect(workingDaysAfter('2026-11-20', 1, none)).toBe('2026-11-23')
  expect(workingDaysAfter('2026-11-21', 2, none), 'what comes on a Saturday has until Tuesday').toBe('2026-11-24')
  expect(workingDaysAfter('2026-12-23', 2, christmas)).toBe('2026-12-29')
})

test('a lead is late when the Stockholm day within the goal is over, not before', () => {
  const askedAt = Date.parse('2026-11-19T00:56:00Z')
  expect(dueDay(askedAt, 2, none)).toBe('2026-11-23')
  expect(askedAt < lateBefore('2026-11-23', 2, none), 'on the last day').toBe(false)
  expect(askedAt < lateBefore('2026-11-24', 2, none), 'the day after').toBe(true)
})
