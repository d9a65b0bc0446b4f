const DAY_MS = 86_400_000

/** `2026-W47` (ISO 8601) of a day as number. Only the screens about interest load this file. */
export function isoWeek(day: number): string {
  const thursday = mondayOf(day) + 3
  const year = new Date(thursday * DAY_MS).getUTCFullYear()
  const week = Math.floor((thursday - epochDayOf(year, 1, 1)) / 7) + 1
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`
}

/** 1 January 1970 was a Thursday. The weekend with which the calendar begins belongs to its first whole week. */
export function mondayOf(day: number): number {
  return Math.max(FIRST_MONDAY, day - (((day % 7) + 10) % 7))
}

/** 3 January 0000. */
const FIRST_MONDAY = -719_526

/** The number of the day `month`-`day` in any year, also beyond what a Date can hold (H. Hinnant, days_from_civil). */
export function epochDayOf(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}
