'use client'

import { useLocale, useTranslations } from 'next-intl'
import { presetOf, type Period } from '@/lib/inbox/period'
import { stockholmDay } from '@/lib/time/stockholm-day'
import { useToday } from './use-today'

/** A period in words; null when there is none. */
export function usePeriodText(period: Period): string | null {
  const t = useTranslations('inbox')
  const locale = useLocale()
  const today = stockholmDay(useToday())
  if (period.from === null && period.to === null) return null
  const preset = presetOf(period, today)
  if (preset !== null) return t(`period.${preset}`)
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  const day = (text: string) => format.format(new Date(`${text}T12:00:00Z`))
  if (period.from !== null && period.to !== null) {
    return period.from === period.to
      ? day(period.from)
      : t('filter.between', { from: day(period.from), to: day(period.to) })
  }
  if (period.from !== null) return t('filter.since', { from: day(period.from) })
  return period.to === null ? null : t('filter.until', { to: day(period.to) })
}
