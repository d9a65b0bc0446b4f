import { addDays, dayText, epochDay, FIRST_DAY, LAST_DAY, stockholmDay, stockholmDayStart } from './stockholm'

/** Which days nobody works, besides Saturdays and Sundays; `yyyy-MM-dd`. */
export type IsHoliday = (day: string) => boolean

const WEEK_DAYS = 7
/** 1 January 1970 was a Thursday. */
const FIRST_SATURDAY = 2

export function isWorkingDay(day: string, isHoliday: IsHoliday): boolean {
  return isWeekday(epochDay(day)) && !isHoliday(day)
}

function isWeekday(day: number): boolean {
  return (((day - FIRST_SATURDAY) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS > 1
}

/** No country is off for so many days on end. */
const LONGEST_BREAK = 31

/**
 * The day that is so many working days after another, which itself never counts: one after a Friday is Monday. Where the
 * calendar ends before, its last day.
 */
export function workingDaysAfter(day: string, count: number, isHoliday: IsHoliday): string {
  const first = epochDay(day)
  const end = Math.min(epochDay(LAST_DAY), first + count * LONGEST_BREAK)
  let at = first
  for (let left = count; left > 0 && at < end;) {
    at += 1
    if (isWeekday(at) && !isHoliday(dayText(at))) left -= 1
  }
  return dayText(at)
}

/**
 * The moment (ms) before which a lead must have come so that on `today` its last day within `goalDays` is over. Later ones have a
 * later last day, so one moment says it of all leads. None can be late in the first days of the calendar.
 */
export function lateBefore(today: string, goalDays: number, isHoliday: IsHoliday): number {
  let day = today
  while (workingDaysAfter(day, goalDays, isHoliday) >= today) {
    if (day === FIRST_DAY) return -Infinity
    day = addDays(day, -1)
  }
  return stockholmDayStart(addDays(day, 1))
}

/** The last day within the goal of a lead that came at this moment (ms). */
export function dueDay(createdAt: number, goalDays: number, isHoliday: IsHoliday): string {
  return workingDaysAfter(stockholmDay(createdAt), goalDays, isHoliday)
}
