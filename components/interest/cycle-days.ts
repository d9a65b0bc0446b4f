import { useLocale, useTranslations } from 'next-intl'
import { findDayZero, toCycleDay } from '@/lib/interest/cohort'
import type { InterestPage } from '@/lib/interest/interest-page'
import { formatDayMonth } from '@/lib/time/format-date'
import { WEEK_DAYS } from '@/lib/time/weeks'

/** Lists the dates of the admission, in days from its day zero. A narrow drawing has letters instead of names. */
export function listCalendarSteps({ cycle, cohort }: InterestPage) {
  const toDay = (date: string) => toCycleDay(cohort, date) - findDayZero(cohort, cycle)
  const preliminary = toDay(cycle.preliminary)
  return [
    {
      name: 'application',
      letter: 'A',
      startDay: toDay(cycle.applicationOpens),
      endDay: toDay(cycle.applicationCloses),
    },
    { name: 'preliminary', letter: null, startDay: preliminary, endDay: null },
    { name: 'changes', letter: 'B', startDay: preliminary, endDay: toDay(cycle.changePeriodEnds) },
    { name: 'final', letter: 'C', startDay: toDay(cycle.final), endDay: null },
    { name: 'reserves', letter: null, startDay: toDay(cycle.reservesEnd), endDay: null },
  ] as const
}

/** Whether the day at this index is the last one, or ends a whole week, counted from day zero. */
export function endsWeek(days: readonly number[], dayIndex: number): boolean {
  return (days[dayIndex] ?? 0) % WEEK_DAYS === 0 || dayIndex === days.length - 1
}

/** Formats a day as `19 nov`. A point of the curves is a day, or on a rounded page a week, `13 nov–19 nov`. */
export function useDayFormat({ cohort, cycle, isRounded }: InterestPage) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const formatDay = (cycleDay: number) => formatDayMonth(findDayZero(cohort, cycle) + cycleDay, locale)
  const formatSpan = (from: number, to: number) => t('span', { from: formatDay(from), to: formatDay(to) })
  const formatPoint = (day: number) => (isRounded ? formatSpan(day - WEEK_DAYS + 1, day) : formatDay(day))
  return { formatDay, formatSpan, formatPoint }
}
