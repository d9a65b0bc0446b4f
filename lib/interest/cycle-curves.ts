import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import { cycleDate, dayZero } from './cohort'
import { curveOf, valueAt } from './curve'
import type { YearDays } from './year-days'

/** A cohort's cumulative numbers for each cycle day from `firstDay` on, until the snapshot's day or the end. */
export type CohortCurve = { year: number; declarations: readonly number[]; people: readonly number[] }

export type CycleCurves = {
  firstDay: number
  lastDay: number
  /** The snapshot's day in the chosen cohort's cycle, which may lie beyond the last. */
  today: number
  /** The chosen cohort first, then the ones before it. */
  cohorts: readonly CohortCurve[]
}

const COHORTS_SHOWN = 3

/**
 * A cohort and the ones before it, by day from the last day of application: from the day after the reserves of the year
 * before were in, when one begins to ask about the cohort, until its own reserves are. What came earlier is in the first value.
 */
export function cycleCurves(
  years: readonly YearDays[],
  cohort: number,
  cycle: AdmissionCycle,
  today: number,
): CycleCurves {
  const firstDay = cycleDate(cohort - 1, cycle.reservesEnd) + 1 - dayZero(cohort, cycle)
  const lastDay = cycleDate(cohort, cycle.reservesEnd) - dayZero(cohort, cycle)
  const shown = Array.from({ length: COHORTS_SHOWN }, (_, index) => cohort - index)
  const cohorts = shown.flatMap((year) => {
    const days = years.find((one) => one.year === year)
    if (days === undefined && year !== cohort) return []
    const zero = dayZero(year, cycle)
    const until = Math.min(lastDay, today - zero)
    const valuesOf = (counts: ReadonlyMap<number, number> | undefined) => {
      const points = counts === undefined ? [] : curveOf(counts, zero)
      return Array.from({ length: Math.max(0, until - firstDay + 1) }, (_, index) => valueAt(points, firstDay + index))
    }
    return [{ year, declarations: valuesOf(days?.declarations), people: valuesOf(days?.people) }]
  })
  return { firstDay, lastDay, today: today - dayZero(cohort, cycle), cohorts }
}
