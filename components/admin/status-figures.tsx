import type { ReactNode } from 'react'
import type { Locale } from '@/lib/i18n/locale'
import { shortDuration } from '@/lib/time/format-time'

/** `12 ms`, `1,2 s`, `45 s`, `5 min`: as exact as the eye can use. */
export function preciseDuration(ms: number, locale: Locale): string {
  const { millisecond, second } = formatters[locale]
  if (ms < 999.5) return millisecond.format(ms)
  return ms < 9_950 ? second.format(ms / 1000) : shortDuration(ms, locale)
}

/** `0,3 kB`, `512 kB`, `35,1 MB`. A megabyte is a million bytes. */
export function dataSize(bytes: number, locale: Locale): string {
  const { tinyKilobyte, kilobyte, megabyte } = formatters[locale]
  if (bytes < 9_950) return tinyKilobyte.format(bytes / 1000)
  return bytes < 999_500 ? kilobyte.format(bytes / 1000) : megabyte.format(bytes / 1_000_000)
}

/** `12`, `0,4`, `< 0,1`: the schedule never takes a rate to be nothing. */
export function hourlyRate(perHour: number, locale: Locale): string {
  const { rate } = formatters[locale]
  return perHour < 0.1 ? `< ${rate.format(0.1)}` : rate.format(perHour)
}

const formatters = { sv: makeFormatters('sv-SE', 'short'), en: makeFormatters('en-GB', 'narrow') } satisfies Record<
  Locale,
  unknown
>

function makeFormatters(tag: string, unitDisplay: 'short' | 'narrow') {
  const inUnit = (unit: string, maximumFractionDigits: number) =>
    new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay, maximumFractionDigits })
  return {
    millisecond: inUnit('millisecond', 0),
    second: inUnit('second', 1),
    tinyKilobyte: inUnit('kilobyte', 1),
    kilobyte: inUnit('kilobyte', 0),
    megabyte: inUnit('megabyte', 1),
    rate: new Intl.NumberFormat(tag, { maximumSignificantDigits: 2 }),
  }
}

/** One number with its name, within a `dl`. Browsers differ in how they write units. */
export function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-xs text-mute">{label}</dt>
      <dd suppressHydrationWarning className="tabular font-medium">
        {children}
      </dd>
    </div>
  )
}
