import type { Locale } from '@/lib/i18n/locale'
import { addDays, stockholmDay } from './stockholm-day'

/** For a row of a list: `08:12` today, `i går`, `18 nov`, and with the year once it is another. */
export function shortTime(ms: number, nowMs: number, locale: Locale): string {
  const today = stockholmDay(nowMs)
  const day = stockholmDay(ms)
  const { clock, dayMonth, relative } = formatters[locale]
  if (day === today) return clock.format(ms)
  if (day === addDays(today, -1)) return relative.format(-1, 'day')
  const date = withoutStops(dayMonth.format(ms))
  return day.slice(0, 4) === today.slice(0, 4) ? date : `${date} ${day.slice(0, 4)}`
}

/** `i dag 08:12`, `i går 19:30`, `18 nov 07:05`. */
export function dayAndTime(ms: number, nowMs: number, locale: Locale): string {
  const { clock, relative } = formatters[locale]
  const isToday = stockholmDay(ms) === stockholmDay(nowMs)
  return `${isToday ? relative.format(0, 'day') : shortTime(ms, nowMs, locale)} ${clock.format(ms)}`
}

/** What stands after "since": `08:12` today, else `i går 19:30`, `18 nov 07:05`. */
export function sinceTime(ms: number, nowMs: number, locale: Locale): string {
  const isToday = stockholmDay(ms) === stockholmDay(nowMs)
  return isToday ? shortTime(ms, nowMs, locale) : dayAndTime(ms, nowMs, locale)
}

/** `fre 20 nov 2026 08:12`. */
export function fullTime(ms: number, locale: Locale): string {
  const { weekday, dayMonth, clock } = formatters[locale]
  const date = withoutStops(`${weekday.format(ms)} ${dayMonth.format(ms)}`)
  return `${date} ${stockholmDay(ms).slice(0, 4)} ${clock.format(ms)}`
}

/** `8 s`, `3 min`, `2 tim` (`8s`, `3m`, `2h`), in the largest unit that fits; less than nothing is nothing. */
export function shortDuration(ms: number, locale: Locale): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const { second, minute, hour, day } = formatters[locale]
  if (seconds < 60) return second.format(seconds)
  if (seconds < 3600) return minute.format(Math.floor(seconds / 60))
  return seconds < 172_800 ? hour.format(Math.floor(seconds / 3600)) : day.format(Math.floor(seconds / 86_400))
}

/** Made once: making one costs more than a screenful of formatting. */
const formatters = { sv: makeFormatters('sv-SE', 'short'), en: makeFormatters('en-GB', 'narrow') } satisfies Record<
  Locale,
  unknown
>

function makeFormatters(tag: string, unitDisplay: 'short' | 'narrow') {
  const inStockholm = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { timeZone: 'Europe/Stockholm', ...options })
  const inUnit = (unit: string) => new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay })
  return {
    clock: inStockholm({ hour: '2-digit', minute: '2-digit' }),
    dayMonth: inStockholm({ day: 'numeric', month: 'short' }),
    weekday: inStockholm({ weekday: 'short' }),
    relative: new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }),
    second: inUnit('second'),
    minute: inUnit('minute'),
    hour: inUnit('hour'),
    day: inUnit('day'),
  }
}

/** Some browsers write `nov.`, some `nov`. */
function withoutStops(text: string): string {
  return text.replaceAll('.', '')
}
