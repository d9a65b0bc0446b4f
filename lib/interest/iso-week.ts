import { epochDayOf } from './epoch-day'

/** The Monday of the ISO week of a day; both as numbers of days since 1 January 1970, which was a Thursday. */
export function mondayOf(day: number): number {
  return day - (((day % 7) + 10) % 7)
}

/** `2026-W47`: a week belongs to the year of its Thursday (ISO 8601). */
export function isoWeek(day: number): string {
  const thursday = mondayOf(day) + 3
  const year = new Date(thursday * 86_400_000).getUTCFullYear()
  const week = Math.floor((thursday - epochDayOf(year, 1, 1)) / 7) + 1
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`
}

/** The Monday of a week written as `2026-W47`. */
export function mondayOfWeek(week: string): number {
  const [year = 0, number = 1] = week.split('-W').map(Number)
  return mondayOf(epochDayOf(year, 1, 4)) + (number - 1) * 7
}
