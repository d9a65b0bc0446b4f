import type { Locale } from '@/lib/i18n/locale'

const tags: Record<Locale, string> = { sv: 'sv-SE', en: 'en-GB' }

/** `15 feb`; some browsers write `feb.`, some `feb`. */
export function dayAndMonth(day: number, locale: Locale): string {
  return formats[locale].day.format(day * 86_400_000).replaceAll('.', '')
}

/** `15 feb 2027`. */
export function fullDay(day: number, locale: Locale): string {
  return formats[locale].full.format(day * 86_400_000).replaceAll('.', '')
}

/** `feb`. */
export function monthName(day: number, locale: Locale): string {
  return formats[locale].month.format(day * 86_400_000).replaceAll('.', '')
}

/** Days are calendar days already, numbered from 1 January 1970, so UTC is the zone that leaves them alone. */
function formatsOf(tag: string) {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, { timeZone: 'UTC', ...options })
  return {
    day: format({ day: 'numeric', month: 'short' }),
    full: format({ day: 'numeric', month: 'short', year: 'numeric' }),
    month: format({ month: 'short' }),
  }
}
const formats = { sv: formatsOf(tags.sv), en: formatsOf(tags.en) }
