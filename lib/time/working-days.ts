import { addDays, FIRST_DAY, stockholmDay, stockholmDayStart } from './stockholm'

/** Tells whether a day is a public holiday; Saturdays and Sundays are off besides. */
export type IsHoliday = (day: string) => boolean

export function isWorkingDay(day: string, isHoliday: IsHoliday): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !isHoliday(day)
}

/** No country has so many days off in a row. */
const MAX_BREAK_DAYS = 31

/** The first day does not count, so one working day after a Friday is Monday. The calendar's last day is the limit. */
export function addWorkingDays(day: string, count: number, isHoliday: IsHoliday): string {
  const last = addDays(day, count * MAX_BREAK_DAYS)
  let current = day
  for (let left = count; left > 0 && current < last;) {
    current = addDays(current, 1)
    if (isWorkingDay(current, isHoliday)) left -= 1
  }
  return current
}

/** Finds the moment (ms) before which an unanswered lead is late today, or -Infinity at the beginning of the calendar. */
export function findLateBefore(today: string, goalDays: number, isHoliday: IsHoliday): number {
  let day = today
  while (addWorkingDays(day, goalDays, isHoliday) >= today) {
    if (day === FIRST_DAY) return -Infinity
    day = addDays(day, -1)
  }
  return stockholmDayStart(addDays(day, 1))
}

export function findDueDay(createdAt: number, goalDays: number, isHoliday: IsHoliday): string {
  return addWorkingDays(stockholmDay(createdAt), goalDays, isHoliday)
}
