import type { AdmissionCycle } from '@/lib/contract/settings'
import type { Count } from '@/lib/contract/interest'
import { admissionYear, dayZero } from './cohort'
import { inUnits, type InUnits, type YearDays } from './interest-counts'

/** A cohort's cumulative numbers by the end of each of the days, until the snapshot's day or the last. */
type CohortCurve = { year: number } & InUnits<readonly Count[]>

export type CycleCurves = {
  /** Cycle days, ascending: each, or for managers the last of each week. */
  days: readonly number[]
  /** The snapshot's day in the chosen cohort's cycle, which may lie beyond the last. */
  today: number
  cohorts: readonly CohortCurve[]
}

const COHORTS_SHOWN = 3

/** A cohort and the ones before it, by day of the admission year. What came earlier is in the first value. */
export function cycleCurves(
  years: readonly YearDays[],
  cohort: number,
  cycle: AdmissionCycle,
  today: number,
): CycleCurves {
  const { from, to } = admissionYear(cohort, cycle)
  const first = from - dayZero(cohort, cycle)
  const days = Array.from({ length: to - from + 1 }, (_, index) => first + index)
  const shown = Array.from({ length: COHORTS_SHOWN }, (_, index) => cohort - index)
  const cohorts = shown.flatMap((year) => {
    const found = years.find((one) => one.year === year)
    if (found === undefined && year !== cohort) return []
    const zero = dayZero(year, cycle)
    const past = days.filter((day) => day <= today - zero)
    const valuesOf = (counts: ReadonlyMap<number, number> = new Map()) => {
      let sum = countUntil(counts, zero + first - 1)
      return past.map((day) => (sum += counts.get(zero + day) ?? 0))
    }
    return [{ year, ...inUnits((unit) => valuesOf(found?.[unit])) }]
  })
  return { days, today: today - dayZero(cohort, cycle), cohorts }
}

function countUntil(counts: ReadonlyMap<number, number>, day: number): number {
  return [...counts].reduce((sum, [when, count]) => (when <= day ? sum + count : sum), 0)
}

export type Headline = {
  now: InUnits<Count>
  /** Null when no declaration is for the cohort before. */
  before: InUnits<Count> | null
  beforeInAll: InUnits<Count> | null
  /** The difference from the cohort before as a share, 0.14 for 14 % more; null without one. */
  change: InUnits<number | null>
  perPerson: number | null
}

export function headline(
  years: readonly YearDays[],
  cohort: number,
  cycle: AdmissionCycle,
  cycleDay: number,
): Headline {
  const untilDay = (year: number, day: number): InUnits | null => {
    const days = years.find((one) => one.year === year)
    return days === undefined ? null : inUnits((unit) => countUntil(days[unit], dayZero(year, cycle) + day))
  }
  const now = untilDay(cohort, Infinity) ?? inUnits(() => 0)
  const before = untilDay(cohort - 1, cycleDay)
  return {
    now,
    before,
    beforeInAll: untilDay(cohort - 1, Infinity),
    change: inUnits((unit) =>
      before === null || before[unit] === 0 ? null : (now[unit] - before[unit]) / before[unit],
    ),
    perPerson: now.people === 0 ? null : now.declarations / now.people,
  }
}

/** `[cycleDay, cumulative]`, ascending, one for each day on which something came. */
export function curveOf(counts: ReadonlyMap<number, number>, zero: number): [cycleDay: number, cumulative: number][] {
  let sum = 0
  return [...counts].toSorted(([a], [b]) => a - b).map(([day, count]) => [day - zero, (sum += count)])
}
