import { DAY_MS } from './durations'

export const WEEK_DAYS = 7

/** Formats the ISO 8601 week of a day, as in `2026-W47`. */
export function formatIsoWeek(epochDay: number): string {
  const thursday = findMonday(epochDay) + 3
  const year = new Date(thursday * DAY_MS).getUTCFullYear()
  const week = Math.floor((thursday - toEpochDay(year, 1, 1)) / WEEK_DAYS) + 1
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`
}

/** The first Monday is 3 January 0000. */
const FIRST_MONDAY = -719_526

/** Finds the Monday of a day's week; epoch day 0 was a Thursday. Days before the first Monday count to its week. */
export function findMonday(epochDay: number): number {
  return Math.max(FIRST_MONDAY, epochDay - (((epochDay % WEEK_DAYS) + 10) % WEEK_DAYS))
}

/** Converts a day of any year, also beyond a Date: the calendar repeats itself every 400 years, or 146 097 days. */
export function toEpochDay(year: number, month: number, day: number): number {
  const periods = Math.floor(year / 400) - 5
  return Date.UTC(year - periods * 400, month - 1, day) / DAY_MS + periods * 146_097
}
