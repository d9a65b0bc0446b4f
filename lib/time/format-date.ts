import type { Locale } from '@/lib/i18n/locale'
import { DAY_MS } from './durations'
import { CLOCK_FORMAT, DAY_MONTH_FORMAT, formatDate, formatShortDay } from './format-time'
import { toStockholmDay } from './stockholm'

/** Writes `fre 20 nov 2026 08:12`. */
export function formatFullTime(ms: number, locale: Locale): string {
  const day = toStockholmDay(ms)
  return `${formatShortDay(day, locale)} ${day.slice(0, 4)} ${formatDate(ms, CLOCK_FORMAT, locale)}`
}

/** Writes `mån 30 nov` of a day as `yyyy-MM-dd`, with its year if that is not this year. */
export function formatWeekdayDate(day: string, today: string, locale: Locale): string {
  const year = day.slice(0, 4)
  return year === today.slice(0, 4) ? formatShortDay(day, locale) : `${formatShortDay(day, locale)} ${year}`
}

/** These write `15 feb`, `15 feb 2027` and `feb`. */
const DAY_FORMATS = {
  dayMonth: DAY_MONTH_FORMAT,
  full: { ...DAY_MONTH_FORMAT, year: 'numeric' },
  month: { month: 'short' },
} as const

export function formatEpochDay(epochDay: number, format: keyof typeof DAY_FORMATS, locale: Locale): string {
  return formatDate(toNoonMs(epochDay), DAY_FORMATS[format], locale)
}

export function listMonthNames(locale: Locale): string[] {
  return Array.from({ length: 12 }, (_, month) => formatDate(Date.UTC(2026, month, 15), { month: 'long' }, locale))
}

export function toNoonMs(epochDay: number): number {
  return (epochDay + 0.5) * DAY_MS
}
