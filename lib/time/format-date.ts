import type { Locale } from '@/lib/i18n/locale'
import { CLOCK, DAY_AND_MONTH, formatDate, shortDay } from './format-time'
import { stockholmDay } from './stockholm'

/** `fre 20 nov 2026 08:12`. */
export function fullTime(ms: number, locale: Locale): string {
  const day = stockholmDay(ms)
  return `${shortDay(day, locale)} ${day.slice(0, 4)} ${formatDate(ms, CLOCK, locale)}`
}

/** `08:12:04`. */
export function clockTime(ms: number, locale: Locale): string {
  return formatDate(ms, { ...CLOCK, second: '2-digit' }, locale)
}

/** `mån 30 nov` of a day as `yyyy-MM-dd`, with its year if that is not this year. */
export function weekdayAndDate(day: string, today: string, locale: Locale): string {
  const year = day.slice(0, 4)
  return year === today.slice(0, 4) ? shortDay(day, locale) : `${shortDay(day, locale)} ${year}`
}

/** `15 feb`. Here and below, days are numbered from 1 January 1970. */
export function dayAndMonth(day: number, locale: Locale): string {
  return formatDate(noonOf(day), DAY_AND_MONTH, locale)
}

/** `15 februari`. */
export function dayAndLongMonth(day: number, locale: Locale): string {
  return formatDate(noonOf(day), { day: 'numeric', month: 'long' }, locale)
}

/** `15 feb 2027`. */
export function fullDay(day: number, locale: Locale): string {
  return formatDate(noonOf(day), { ...DAY_AND_MONTH, year: 'numeric' }, locale)
}

/** `feb`. */
export function monthName(day: number, locale: Locale): string {
  return formatDate(noonOf(day), { month: 'short' }, locale)
}

export function monthNames(locale: Locale): string[] {
  return Array.from({ length: 12 }, (_, month) => formatDate(Date.UTC(2026, month, 15), { month: 'long' }, locale))
}

export function noonOf(day: number): number {
  return (day + 0.5) * 86_400_000
}
