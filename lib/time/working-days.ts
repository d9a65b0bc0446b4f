import { addDays, FIRST_DAY, stockholmDay, stockholmDayStart } from './stockholm'

/** Whether a day is a public holiday; Saturdays and Sundays are off besides. */
export type IsHoliday = (day: string) => boolean

export function isWorkingDay(day: string, isHoliday: IsHoliday): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !isHoliday(day)
}

/** No country is off for so many days in a row. */
const MAX_BREAK_DAYS = 31

/** The day itself never counts, so one working day after a Friday is Monday. It stops at the last day of the calendar. */
export function addWorkingDays(day: string, count: number, isHoliday: IsHoliday): string {
  const last = addDays(day, count * MAX_BREAK_DAYS)
  let current = day
  for (let left = count; left > 0 && current < last;) {
    current = addDays(current, 1)
    if (isWorkingDay(current, isHoliday)) left -= 1
  }
  return current
}

/** Finds the moment (ms) before which an unanswered lead is late today; -Infinity at the beginning of the calendar. */
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

/** The day of Easter, by the Gregorian computus in Butcher’s form (The Ecclesiastical Calendar, 1876). */
export function findEasterSunday(year: number): string {
  const a = year % 19
  const [b, c] = [Math.floor(year / 100), year % 100]
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const sum = h + l - 7 * m + 114
  const [month, day] = [Math.floor(sum / 31), (sum % 31) + 1]
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}
