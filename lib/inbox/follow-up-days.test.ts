import { expect, test } from 'vitest'
import { addDays } from '@/lib/time/stockholm'
import { isWeekday } from '@/lib/time/working-days'
import { listFollowUpDays } from './follow-up-days'

const offered = (today: string) => listFollowUpDays(today).map(({ kind, day }) => `${kind} ${day}`)

test.each([
  ['in the middle of the week', '2026-11-25', ['tomorrow 2026-11-26', 'monday 2026-11-30', 'nextWeek 2026-12-02']],
  ['before a weekend, not tomorrow', '2026-11-27', ['monday 2026-11-30', 'nextWeek 2026-12-04']],
  ['on a Sunday, Monday once', '2026-11-29', ['tomorrow 2026-11-30', 'nextWeek 2026-12-07']],
  ['on a Monday, the next one once', '2026-11-23', ['tomorrow 2026-11-24', 'monday 2026-11-30']],
])('a lead may come back %s', (_, today, days) => {
  expect(offered(today)).toEqual(days)
})

test('every choice of every day of six years is a later weekday, each once', () => {
  for (let day = '2024-01-01'; day < '2030-01-01'; day = addDays(day, 1)) {
    const days = listFollowUpDays(day).map((choice) => choice.day)
    expect(days.every((one) => one > day && isWeekday(one))).toBe(true)
    expect(new Set(days).size).toBe(days.length)
  }
})
