import { addDays, FIRST_DAY, LAST_DAY, toStockholmDay, startOfStockholmDay } from './stockholm'
import { isSwedishHoliday } from './swedish-holidays'

export function isWeekday(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6
}

export function isWorkingDay(day: string): boolean {
  return isWeekday(day) && !isSwedishHoliday(day)
}

/** Does not count the first day: one working day after a Friday is Monday. Stops at the calendar's last day. */
export function addWorkingDays(day: string, count: number): string {
  let current = day
  for (let remaining = count; remaining > 0 && current < LAST_DAY;) {
    current = addDays(current, 1)
    if (isWorkingDay(current)) remaining -= 1
  }
  return current
}

/** Finds the moment (ms) before which an unanswered lead is late today, or -Infinity at the calendar's beginning. */
export function findLateBefore(today: string, goalDays: number): number {
  let day = today
  while (addWorkingDays(day, goalDays) >= today) {
    if (day === FIRST_DAY) return -Infinity
    day = addDays(day, -1)
  }
  return startOfStockholmDay(addDays(day, 1))
}

export function findDueDay(createdAt: number, goalDays: number): string {
  return addWorkingDays(toStockholmDay(createdAt), goalDays)
}
