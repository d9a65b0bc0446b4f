import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { Season, SeasonDate } from '@/lib/contract/day'
import type { OwnDate } from '@/lib/contract/work-settings'
import { addDays, dayText, epochDay } from '@/lib/time/stockholm'
import { admissionYear, cycleDate, dayZero, defaultCohort } from './cohort'
import { type AdmissionDate, admissionDates } from './cycle-days'

/** Where the year of the admission stands on a day, with the dates of the school group's own. */
export function seasonOn(today: string, cycle: AdmissionCycle, own: readonly OwnDate[]): Season {
  const cohort = defaultCohort(today, cycle)
  const year = admissionYear(cohort, cycle)
  const [from, to] = [dayText(year.from), dayText(year.to)]
  const admission = admissionDates.map((key): SeasonDate => ({ day: dayText(cycleDate(cohort, cycle[key])), key }))
  const ours = own.filter(({ day }) => from <= day && day <= to)
  const dates = [...admission, ...ours].toSorted((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)))
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

/** The times of a season that the strip draws. */
const PHASES = [
  { name: 'before', until: 'applicationOpens' },
  { name: 'application', until: 'applicationCloses' },
  { name: 'sorting', until: 'preliminary' },
  { name: 'change', until: 'changePeriodEnds' },
  { name: 'deciding', until: 'final' },
  { name: 'reserves', until: 'reservesEnd' },
] as const
type PhaseName = (typeof PHASES)[number]['name']

/** A phase as a part of the strip, 0 to 1; a day belongs to the phase that begins on it. */
export type SeasonPhase = { name: PhaseName; start: number; end: number; isNow: boolean }

export function seasonPhases(season: Season): SeasonPhase[] {
  const dayOf = (key: AdmissionDate) => season.dates.find((date) => 'key' in date && date.key === key)?.day ?? season.to
  let from = season.from
  return PHASES.map(({ name, until }) => {
    const start = from
    // The last day to apply is still a day to apply.
    const end =
      name === 'application' || name === 'change' || name === 'reserves' ? addDays(dayOf(until), 1) : dayOf(until)
    from = end
    const isNow = start <= season.today && season.today < end
    return { name, start: placeOnStrip(season, start), end: placeOnStrip(season, end), isNow }
  })
}

/** Where a day stands on the strip, 0 to 1. */
export function placeOnStrip({ from, to }: Pick<Season, 'from' | 'to'>, day: string): number {
  const first = epochDay(from)
  return Math.min(1, Math.max(0, (epochDay(day) - first) / (epochDay(to) + 1 - first)))
}

/** The date that the days are counted to: the last day to apply, and once that is over the next of the admission. */
export function countedTo({ dates, today }: Season): { key: AdmissionDate; days: number } | null {
  for (const date of dates) {
    if (!('key' in date) || date.key === 'applicationOpens' || date.day < today) continue
    return { key: date.key, days: epochDay(date.day) - epochDay(today) }
  }
  return null
}
