import { useLocale, useTranslations } from 'next-intl'
import { type AdmissionDateName, findDayZero, toCohortEpochDay } from '@/lib/interest/cohort'
import type { InterestPage } from '@/lib/interest/interest-page'
import { formatEpochDay } from '@/lib/time/format-date'
import { WEEK_DAYS } from '@/lib/time/weeks'

const CALENDAR_STEPS = [
  { name: 'application', letter: 'A', startDate: 'applicationOpens', endDate: 'applicationCloses' },
  { name: 'preliminary', letter: null, startDate: 'preliminary', endDate: null },
  { name: 'changes', letter: 'B', startDate: 'preliminary', endDate: 'changePeriodEnds' },
  { name: 'final', letter: 'C', startDate: 'final', endDate: null },
  { name: 'reserves', letter: null, startDate: 'reservesEnd', endDate: null },
] as const

/**
 * Lists the steps of the admission, in days from its day zero. A step of one day has no `endDay`, and a step with a
 * `letter` is named by it in the curves.
 */
export function listCalendarSteps({ cycle, cohort }: InterestPage) {
  const toCycleDay = (date: AdmissionDateName) => toCohortEpochDay(cohort, cycle[date]) - findDayZero(cohort, cycle)
  return CALENDAR_STEPS.map(({ name, letter, startDate, endDate }) => {
    return { name, letter, startDay: toCycleDay(startDate), endDay: endDate && toCycleDay(endDate) }
  })
}

/** Tells whether the day at this index is the last one, or ends a whole week, counted from day zero. */
export function endsWeek(days: readonly number[], dayIndex: number): boolean {
  return (days[dayIndex] ?? 0) % WEEK_DAYS === 0 || dayIndex === days.length - 1
}

/** Formats days of the cycle: one as `19 nov`, and a point of rounded curves as its week, `13 nov–19 nov`. */
export function useDayFormat({ cohort, cycle, isRounded }: InterestPage) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const formatDay = (cycleDay: number) => formatEpochDay(findDayZero(cohort, cycle) + cycleDay, 'dayMonth', locale)
  const formatSpan = (from: number, to: number) => t('span', { from: formatDay(from), to: formatDay(to) })
  const formatPoint = (day: number) => (isRounded ? formatSpan(day - WEEK_DAYS + 1, day) : formatDay(day))
  return { formatDay, formatSpan, formatPoint }
}
