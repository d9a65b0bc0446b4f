import type { Season, SeasonDate } from '@/lib/contract/day'
import type { AdmissionCycle } from '@/lib/contract/settings'
import { addDays, formatIsoDay, parseIsoDay } from '@/lib/time/stockholm'
import {
  ADMISSION_DATES,
  type AdmissionDateName,
  findAdmissionYear,
  findDayZero,
  findDefaultCohort,
  toCohortEpochDay,
} from './cohort'

/** Describes the admission year that a day (`yyyy-MM-dd`) lies in, with the next date from that day on. */
export function describeSeason(today: string, cycle: AdmissionCycle): Season {
  const cohort = findDefaultCohort(today, cycle)
  const { firstDay, lastDay } = findAdmissionYear(cohort, cycle)
  const dates = ADMISSION_DATES.map((key): SeasonDate => ({
    day: formatIsoDay(toCohortEpochDay(cohort, cycle[key])),
    key,
  }))
  return {
    today,
    cohort,
    from: formatIsoDay(firstDay),
    to: formatIsoDay(lastDay),
    daysToClose: findDayZero(cohort, cycle) - parseIsoDay(today),
    next: dates.find(({ day }) => day >= today) ?? null,
    dates,
  }
}

/** Lists the phases of the admission year by where they start and end on a strip. */
export function listPhases(season: Season) {
  const findDay = (key: AdmissionDateName) => season.dates.find((date) => date.key === key)?.day ?? season.to
  // `end` is the first day of the next phase. The last days to apply, to change and of the reserves are included.
  const phaseEnds = [
    { name: 'before', end: findDay('applicationOpens') },
    { name: 'application', end: addDays(findDay('applicationCloses'), 1) },
    { name: 'sorting', end: findDay('preliminary') },
    { name: 'change', end: addDays(findDay('changePeriodEnds'), 1) },
    { name: 'deciding', end: findDay('final') },
    { name: 'reserves', end: addDays(findDay('reservesEnd'), 1) },
  ] as const
  return phaseEnds.map(({ name, end }, index) => {
    const start = phaseEnds[index - 1]?.end ?? season.from
    const isNow = start <= season.today && season.today < end
    return { name, start: toStripPosition(season, start), end: toStripPosition(season, end), isNow }
  })
}

/** Finds where a day begins on the strip, from 0 to 1. */
export function toStripPosition({ from, to }: Pick<Season, 'from' | 'to'>, day: string): number {
  const firstDay = parseIsoDay(from)
  return Math.min(1, Math.max(0, (parseIsoDay(day) - firstDay) / (parseIsoDay(to) + 1 - firstDay)))
}

/** Finds the date to count down to: the last day to apply, and after it the next date of the admission. */
export function findCountdown({ dates, today }: Season): { key: AdmissionDateName; days: number } | null {
  const next = dates.find(({ key, day }) => key !== 'applicationOpens' && day >= today)
  return next ? { key: next.key, days: parseIsoDay(next.day) - parseIsoDay(today) } : null
}
