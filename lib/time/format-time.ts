import { getOrCreate } from '@/lib/get-or-create'
import type { Locale } from '@/lib/i18n/locale'
import { formatClock, toStockholmClock, toStockholmDay, toStockholmEpochDay } from './stockholm'

export const DAY_MONTH_FORMAT: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' }
export const CLOCK_FORMAT: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }
const LANGUAGE_TAGS: Record<Locale, string> = { sv: 'sv-SE', en: 'en-GB' }

/** Formats are cached, because making one costs more than a screenful of formatting. */
const dateFormats = new Map<string, Intl.DateTimeFormat>()
const relativeFormats = new Map<string, Intl.RelativeTimeFormat>()
const unitFormats = new Map<string, Intl.NumberFormat>()

/** Formats Stockholm's time, without dots, because some browsers write `nov.` and some `nov`. */
export function formatDate(ms: number, options: Intl.DateTimeFormatOptions, locale: Locale): string {
  const createFormat = () =>
    new Intl.DateTimeFormat(LANGUAGE_TAGS[locale], { timeZone: 'Europe/Stockholm', ...options })
  return getOrCreate(dateFormats, JSON.stringify([options, locale]), createFormat)
    .format(ms)
    .replaceAll('.', '')
}

/** Writes `i dag`, `i går`, `18 nov`, with its year if that is not this year. Moments are in ms. */
export function formatRelativeDay(ms: number, nowMs: number, locale: Locale): string {
  const daysFromNow = toStockholmEpochDay(ms) - toStockholmEpochDay(nowMs)
  if (daysFromNow === 0 || daysFromNow === -1) {
    const createFormat = () => new Intl.RelativeTimeFormat(LANGUAGE_TAGS[locale], { numeric: 'auto' })
    return getOrCreate(relativeFormats, locale, createFormat).format(daysFromNow, 'day')
  }
  const date = formatDate(ms, DAY_MONTH_FORMAT, locale)
  const year = toStockholmDay(ms).slice(0, 4)
  return year === toStockholmDay(nowMs).slice(0, 4) ? date : `${date} ${year}`
}

/** Writes `i dag 08:12`, `i går 19:30`, `18 nov 07:05`. */
export function formatDayAndTime(ms: number, nowMs: number, locale: Locale): string {
  return `${formatRelativeDay(ms, nowMs, locale)} ${formatTimeOfDay(ms)}`
}

/** Writes `07:05` without `Intl`, because building an `Intl` format delays the first interaction on a phone. */
function formatTimeOfDay(ms: number): string {
  return formatClock(toStockholmClock(ms)).slice('yyyy-MM-dd '.length)
}

/** Formats a moment to stand after "since": `08:12` today, otherwise `i går 19:30` or `18 nov 07:05`. */
export function formatSince(ms: number, nowMs: number, locale: Locale): string {
  const isToday = toStockholmDay(ms) === toStockholmDay(nowMs)
  return isToday ? formatTimeOfDay(ms) : formatDayAndTime(ms, nowMs, locale)
}

/** Writes `8 s`, `3 min`, `2 tim` (in English `8s`, `3m`, `2h`) in the largest unit that fits. Days begin at two. */
export function formatShortDuration(ms: number, locale: Locale): string {
  const seconds = Math.max(0, ms / 1000)
  const { unit, unitSeconds } = chooseUnit(seconds)
  const unitDisplay = locale === 'sv' ? 'short' : 'narrow'
  const createFormat = () => new Intl.NumberFormat(LANGUAGE_TAGS[locale], { style: 'unit', unit, unitDisplay })
  return getOrCreate(unitFormats, unit + locale, createFormat).format(Math.floor(seconds / unitSeconds))
}

function chooseUnit(seconds: number) {
  if (seconds < 60) return { unit: 'second', unitSeconds: 1 }
  if (seconds < 3_600) return { unit: 'minute', unitSeconds: 60 }
  return seconds < 2 * 86_400 ? { unit: 'hour', unitSeconds: 3_600 } : { unit: 'day', unitSeconds: 86_400 }
}

/** Writes `mån 30 nov`, of a day as `yyyy-MM-dd`. */
export function formatShortDay(day: string, locale: Locale): string {
  const noon = Date.parse(`${day}T12:00:00Z`)
  return `${formatDate(noon, { weekday: 'short' }, locale)} ${formatDate(noon, DAY_MONTH_FORMAT, locale)}`
}
