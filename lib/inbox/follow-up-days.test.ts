import { expect, test } from 'vitest'
import { addDays } from '@/lib/time/stockholm'
import { isWorkingDay } from '@/lib/time/working-days'
import { followUpDays } from './follow-up-days'

const offered = (today: string) => followUpDays(today).map(({ kind, day }) => `${kind} ${day}`)

test.each([
  ['in the middle of the week', '2026-11-25', ['tomorrow 2026-11-26', 'monday 2026-11-30', 'nextWeek 2026-12-02']],
  ['before a weekend, not tomorrow', '2026-11-27', ['monday 2026-11-30', 'nextWeek 2026-12-04']],
  ['on a Sunday, Monday once', '2026-11-29', ['tomorrow 2026-11-30', 'nextWeek 2026-12-07']],
  ['on a Monday, the next one once', '2026-11-23', ['tomorrow 2026-11-24', 'monday 2026-11-30']],
])('a lead may come back %s', (_, today, days) => {
  expect(offered(today)).toEqual([...days, 'christmas 2027-01-07'])
})

test('the break is the next one, and what it means is after it in the whole country', () => {
  const breakOf = (today: string) => offered(today).at(-1)
  // Easter Sunday was 28 March 2027, and the week after it may be free.
  expect(breakOf('2027-02-01')).toBe('easter 2027-04-05')
  expect(breakOf('2027-05-01')).toBe('summer 2027-08-16')
  expect(breakOf('2027-09-01')).toBe('christmas 2028-01-07')
  // 16 August 2026 is a Sunday; so is Easter of 2026 on 5 April.
  expect(breakOf('2026-05-01')).toBe('summer 2026-08-17')
  expect(breakOf('2026-01-07')).toBe('easter 2026-04-13')
})

test('every choice of every day of six years is a later weekday, each once', () => {
  for (let day = '2024-01-01'; day < '2030-01-01'; day = addDays(day, 1)) {
    const days = followUpDays(day).map((choice) => choice.day)
    expect(days.every((one) => one > day && isWorkingDay(one, () => false))).toBe(true)
    expect(new Set(days).size).toBe(days.length)
  }
})
