import type { Locale } from '@/lib/i18n/locale'
import { CLOCK_FORMAT, DAY_MONTH_FORMAT, formatDate, formatShortDay } from './format-time'
import { DAY_MS, stockholmDay } from './stockholm'

/** Writes `fre 20 nov 2026 08:12`. */
export function formatFullTime(ms: number, locale: Locale): string {
  const day = stockholmDay(ms)
  return `${formatShortDay(day, locale)} ${day.slice(0, 4)} ${formatDate(ms, CLOCK_FORMAT, locale)}`
}

/** Writes `08:12:04`. */
export function formatClockTime(ms: number, locale: Locale): string {
  return formatDate(ms, { ...CLOCK_FORMAT, second: '2-digit' }, locale)
}

/** Writes `mån 30 nov` of a day as `yyyy-MM-dd`, with its year if that is not this year. */
export function formatWeekdayDate(day: string, today: string, locale: Locale): string {
  const year = day.slice(0, 4)
  return year === today.slice(0, 4) ? formatShortDay(day, locale) : `${formatShortDay(day, locale)} ${year}`
}

/** Writes `15 feb`. This and the following functions take the number of a day since 1 January 1970. */
export function formatDayMonth(day: number, locale: Locale): string {
  return formatDate(toNoonMs(day), DAY_MONTH_FORMAT, locale)
}

/** Writes `15 februari`. */
export function formatLongDayMonth(day: number, locale: Locale): string {
  return formatDate(toNoonMs(day), { day: 'numeric', month: 'long' }, locale)
}

/** Writes `15 feb 2027`. */
export function formatFullDay(day: number, locale: Locale): string {
  return formatDate(toNoonMs(day), { ...DAY_MONTH_FORMAT, year: 'numeric' }, locale)
}

/** Writes `feb`. */
export function formatMonth(day: number, locale: Locale): string {
  return formatDate(toNoonMs(day), { month: 'short' }, locale)
}

export function listMonthNames(locale: Locale): string[] {
  return Array.from({ length: 12 }, (_, month) => formatDate(Date.UTC(2026, month, 15), { month: 'long' }, locale))
}

export function toNoonMs(day: number): number {
  return (day + 0.5) * DAY_MS
}
