import { addDays, epochDay, stockholmDay, stockholmDayStart } from './stockholm'

/** Which days nobody works, besides Saturdays and Sundays; `yyyy-MM-dd`. */
export type IsHoliday = (day: string) => boolean

const WEEK_DAYS = 7
/** 1 January 1970 was a Thursday. */
const FIRST_SATURDAY = 2

export function isWorkingDay(day: string, isHoliday: IsHoliday): boolean {
  const weekDay = (((epochDay(day) - FIRST_SATURDAY) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS
  return weekDay > 1 && !isHoliday(day)
}

/** The day that is so many working days after another, which itself never counts: one after a Friday is Monday. */
export function workingDaysAfter(day: string, count: number, isHoliday: IsHoliday): string {
  let left = count
  let at = day
  while (left > 0) {
    at = addDays(at, 1)
    if (isWorkingDay(at, isHoliday)) left -= 1
  }
  return at
}

/**
 * The moment (ms) before which a lead must have come so that on `today` its last day within `goalDays` is over. Later ones have a
 * later last day, so one moment says it of all leads.
 */
export function lateBefore(today: string, goalDays: number, isHoliday: IsHoliday): number {
  let day = today
  while (workingDaysAfter(day, goalDays, isHoliday) >= today) day = addDays(day, -1)
  return stockholmDayStart(addDays(day, 1))
}

/** The last day within the goal of a lead that came at this moment (ms). */
export function dueDay(createdAt: number, goalDays: number, isHoliday: IsHoliday): string {
  return workingDaysAfter(stockholmDay(createdAt), goalDays, isHoliday)
}
