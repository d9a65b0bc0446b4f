import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatClockTime,
  formatDayMonth,
  formatFullDay,
  formatFullTime,
  formatMonth,
  formatWeekdayDate,
} from './format-date'
import { formatDayAndTime, formatRelativeDay, formatShortDay, formatSince } from './format-time'
import {
  addDays,
  daysSince,
  dayText,
  epochDay,
  FIRST_DAY,
  FIRST_MOMENT,
  formatMoment,
  LAST_DAY,
  LAST_MOMENT,
  stockholmClock,
  stockholmDay,
  stockholmDayEnd,
  stockholmDayStart,
  stockholmEpochDay,
} from './stockholm'
import { isSwedishHoliday } from './swedish-holidays'
import { findMonday, formatIsoWeek, toEpochDay } from './weeks'
import { addWorkingDays, findDueDay, findLateBefore, isWorkingDay } from './working-days'

const [FIRST, LAST] = [epochDay(FIRST_DAY), epochDay(LAST_DAY)]
const DAY_MS = 86_400_000

/** Mostly at the ends, at the ends of rules, and where years get another digit. */
const borders = ['0000-01-01', '0001-01-01', '0100-01-01', '1000-01-01', '1900-01-01', '1997-01-01', '9000-01-01']
const nearBorder = fc
  .tuple(fc.constantFrom(...borders.map(epochDay), LAST), fc.integer({ min: -40, max: 40 }))
  .map(([border, away]) => Math.min(LAST, Math.max(FIRST, border + away)))
const anyNumber = fc.oneof(nearBorder, fc.integer({ min: FIRST, max: LAST }))
const anyDay = anyNumber.map(dayText)
const anyMoment = fc.oneof(
  fc.constantFrom(FIRST_MOMENT, LAST_MOMENT),
  fc
    .tuple(anyNumber, fc.integer({ min: -DAY_MS, max: DAY_MS }))
    .map(([day, ms]) => Math.min(LAST_MOMENT, Math.max(FIRST_MOMENT, day * DAY_MS + ms))),
)
const anyGoal = fc.integer({ min: 1, max: 60 })

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && dayText(epochDay(text)) === text

test('the number of every day leads back to it, no day is beyond the calendar, and its week begins on a Monday', () => {
  const anySpan = fc.oneof(fc.integer({ min: -10, max: 10 }), fc.integer({ min: -5_000_000, max: 5_000_000 }))
  fc.assert(
    fc.property(anyNumber, anySpan, (number, span) => {
      const day = dayText(number)
      expect([isDay(day), epochDay(day)]).toEqual([true, number])
      expect(epochDay(addDays(day, span))).toBe(Math.min(LAST, Math.max(FIRST, number + span)))
      const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
      expect(toEpochDay(year, month, date)).toBe(number)
      expect(formatIsoWeek(number)).toMatch(/^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/)
      const monday = findMonday(number)
      expect(new Date(monday * DAY_MS).getUTCDay()).toBe(1)
      // The calendar begins with a weekend.
      expect(number - monday).toBeGreaterThanOrEqual(number < FIRST + 2 ? -2 : 0)
      expect(number - monday).toBeLessThan(7)
    }),
    { numRuns: 2_000 },
  )
  expect(toEpochDay(-2_000_000_000, 2, 15), 'years without a calendar').toBeLessThan(toEpochDay(-1_999_999_999, 2, 15))
})

test('every moment is on one day of Stockholm, has its words, and the next day begins where it ends', () => {
  fc.assert(
    fc.property(anyMoment, anyMoment, fc.constantFrom('sv', 'en'), (ms, now, locale) => {
      const [day, today] = [stockholmDay(ms), stockholmDay(now)]
      expect(epochDay(day)).toBe(stockholmEpochDay(ms))
      expect(formatMoment(stockholmClock(ms))).toMatch(new RegExp(`^${day} ([01]\\d|2[0-3]):[0-5]\\d$`))
      expect(daysSince(new Date(ms).toISOString(), now)).toBe(stockholmEpochDay(now) - stockholmEpochDay(ms))
      const [start, end] = [stockholmDayStart(day), stockholmDayEnd(day)]
      expect([start >= FIRST_MOMENT, start <= ms, ms <= end, end <= LAST_MOMENT]).not.toContain(false)
      expect([start, end, end + 1].map(stockholmDay)).toEqual([day, day, addDays(day, 1)])
      const ofMoment = [formatFullTime, formatClockTime].map((word) => word(ms, locale))
      const ofBoth = [formatRelativeDay, formatDayAndTime, formatSince].map((word) => word(ms, now, locale))
      const ofDay = [formatDayMonth, formatFullDay, formatMonth].map((word) => word(epochDay(day), locale))
      const words = [
        ...ofMoment,
        ...ofBoth,
        ...ofDay,
        formatShortDay(day, locale),
        formatWeekdayDate(day, today, locale),
      ]
      expect(words.filter((word) => word === '' || /NaN|undefined|Invalid/.test(word))).toEqual([])
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['2026-11-21', '2026-W47'],
  ['2027-01-01', '2026-W53'],
  ['2027-01-04', '2027-W01'],
  ['2024-12-30', '2025-W01'],
  ['2023-01-01', '2022-W52'],
])('the ISO week of %s is %s', (day, week) => {
  expect(formatIsoWeek(epochDay(day))).toBe(week)
})

test('working days end with the calendar, after no more looks than the goal allows', () => {
  const calendars = { none: () => false, swedish: isSwedishHoliday, always: () => true }
  const anyCalendar = fc.constantFrom<keyof typeof calendars>('none', 'swedish', 'always')
  fc.assert(
    fc.property(anyDay, anyMoment, anyGoal, anyCalendar, (day, ms, goal, name) => {
      let looks = 0
      const isHoliday = (one: string) => (looks++, calendars[name](one))
      const due = addWorkingDays(day, goal, isHoliday)
      expect(isDay(due) && due >= day).toBe(true)
      expect(looks).toBeLessThanOrEqual(goal * 31)
      expect(name === 'always' || due === LAST_DAY || isWorkingDay(due, isHoliday)).toBe(true)
      expect(findDueDay(ms, goal, isHoliday)).toBe(addWorkingDays(stockholmDay(ms), goal, isHoliday))
    }),
    { numRuns: 500 },
  )
})

test('one moment separates late leads from others on any day, also on the first and the last', () => {
  const anyEnd = fc.oneof(fc.constantFrom(FIRST_DAY, LAST_DAY), anyDay)
  fc.assert(
    fc.property(anyEnd, anyGoal, (today, goal) => {
      const late = findLateBefore(today, goal, isSwedishHoliday)
      // A lead of a millisecond before is late, and one of that moment is not.
      const isLate = (ms: number) => ms >= FIRST_MOMENT && findDueDay(ms, goal, isSwedishHoliday) < today
      expect([isLate(late - 1), isLate(Math.max(late, FIRST_MOMENT))]).toEqual([late > FIRST_MOMENT, false])
    }),
    { numRuns: 100 },
  )
})
