import type { AdmissionCycle } from '@/lib/contract/settings'
import type { Season, SeasonDate } from '@/lib/contract/day'
import { addDays, dayText, epochDay } from '@/lib/time/stockholm'
import { type AdmissionDate, admissionDates, admissionYear, cycleDate, dayZero, defaultCohort } from './cohort'

export function seasonOn(today: string, cycle: AdmissionCycle): Season {
  const cohort = defaultCohort(today, cycle)
  const year = admissionYear(cohort, cycle)
  const [from, to] = [dayText(year.from), dayText(year.to)]
  const dates = admissionDates.map((key): SeasonDate => ({ day: dayText(cycleDate(cohort, cycle[key])), key }))
  return {
    today,
    cohort,
    from,
    to,
    daysToClose: dayZero(cohort, cycle) - epochDay(today),
    next: dates.find(({ day }) => day >= today) ?? null,
    dates,
  }
}

/** The last day of some belongs to them: the last day to apply is still a day to apply. */
const PHASES = [
  { name: 'before', until: 'applicationOpens', more: 0 },
  { name: 'application', until: 'applicationCloses', more: 1 },
  { name: 'sorting', until: 'preliminary', more: 0 },
  { name: 'change', until: 'changePeriodEnds', more: 1 },
  { name: 'deciding', until: 'final', more: 0 },
  { name: 'reserves', until: 'reservesEnd', more: 1 },
] as const

/** Each phase as a part of the strip, 0 to 1; a day belongs to the phase that begins on it. */
export function seasonPhases(season: Season) {
  const dayOf = (key: AdmissionDate) => season.dates.find((date) => date.key === key)?.day ?? season.to
  let from = season.from
  return PHASES.map(({ name, until, more }) => {
    const start = from
    const end = addDays(dayOf(until), more)
    from = end
    const isNow = start <= season.today && season.today < end
    return { name, start: positionOnStrip(season, start), end: positionOnStrip(season, end), isNow }
  })
}

export function positionOnStrip({ from, to }: Pick<Season, 'from' | 'to'>, day: string): number {
  const first = epochDay(from)
  return Math.min(1, Math.max(0, (epochDay(day) - first) / (epochDay(to) + 1 - first)))
}

/** The date that the days are counted to: the last day to apply, and once that is over the next of the admission. */
export function countdown({ dates, today }: Season): { key: AdmissionDate; days: number } | null {
  const next = dates.find(({ key, day }) => key !== 'applicationOpens' && day >= today)
  return next ? { key: next.key, days: epochDay(next.day) - epochDay(today) } : null
}
