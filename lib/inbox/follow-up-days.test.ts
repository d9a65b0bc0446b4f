import { expect, test } from 'vitest'
import { addDays } from '@/lib/time/stockholm'
import { isWeekday } from '@/lib/time/working-days'
import { followUpDays } from './follow-up-days'

const offered = (today: string) => followUpDays(today).map(({ kind, day }) => `${kind} ${day}`)

test('a lead may come back, in the middle of the week: tomorrow, Monday, in a week, after the break', () => {
  const weekdays = ['tomorrow 2026-11-26', 'monday 2026-11-30', 'nextWeek 2026-12-02']
  expect(offered('2026-11-25')).toEqual([...weekdays, 'christmas 2027-01-07'])
})

test('before a weekend there is no tomorrow, and each day stands once', () => {
  expect(offered('2026-11-27')).toEqual(['monday 2026-11-30', 'nextWeek 2026-12-04', 'christmas 2027-01-07'])
  expect(offered('2026-11-29')).toEqual(['tomorrow 2026-11-30', 'nextWeek 2026-12-07', 'christmas 2027-01-07'])
  expect(offered('2026-11-23')[1]).toBe('monday 2026-11-30')
  expect(offered('2026-11-23').join(' ')).not.toContain('nextWeek')
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
    expect(days.every((one) => one > day && isWeekday(one))).toBe(true)
    expect(new Set(days).size).toBe(days.length)
  }
})
