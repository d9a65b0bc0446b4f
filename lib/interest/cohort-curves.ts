import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import { cycleDate, dayZero } from './cohort'
import type { Count, InUnits, YearDays } from './interest-counts'

/** A cohort's cumulative numbers for each cycle day from `firstDay` on, until the snapshot's day or the end. */
type CohortCurve = { year: number; declarations: readonly number[]; people: readonly number[] }

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

export type Headline = {
  /** Days from the last day of the application to the snapshot's day. */
  cycleDay: number
  now: Count
  /** The cohort before, at the same cycle day; null when no declaration is for it. */
  before: Count | null
  /** All that ever came for the cohort before. */
  beforeInAll: Count | null
}

/** How many are for the cohort by a day, and how many were for the one before when its own cycle had come as far. */
export function headline(years: readonly YearDays[], cohort: number, cycle: AdmissionCycle, today: number): Headline {
  const cycleDay = today - dayZero(cohort, cycle)
  const untilDay = (year: number, day: number): InUnits | null => {
    const days = years.find((one) => one.year === year)
    if (days === undefined) return null
    const zero = dayZero(year, cycle)
    return {
      declarations: valueAt(curveOf(days.declarations, zero), day),
      people: valueAt(curveOf(days.people, zero), day),
    }
  }
  return {
    cycleDay,
    now: untilDay(cohort, Infinity) ?? { declarations: 0, people: 0 },
    before: untilDay(cohort - 1, cycleDay),
    beforeInAll: untilDay(cohort - 1, Infinity),
  }
}

/** By which share (0.14: 14 % more) a number differs from an earlier one; null where there was nothing to compare with. */
export function change(now: number, before: number): number | null {
  return before === 0 ? null : (now - before) / before
}

/** `[cycleDay, cumulative]`, ascending, one for each day on which something came. */
type CurvePoint = [cycleDay: number, cumulative: number]

/** Adds up counts by day, as days from `zero`. */
export function curveOf(counts: ReadonlyMap<number, number>, zero: number): CurvePoint[] {
  let sum = 0
  return [...counts].toSorted(([a], [b]) => a - b).map(([day, count]) => [day - zero, (sum += count)])
}

/** How many had come by the end of a cycle day. */
function valueAt(points: readonly CurvePoint[], cycleDay: number): number {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((points[middle]?.[0] ?? Infinity) <= cycleDay) low = middle + 1
    else high = middle
  }
  return points[low - 1]?.[1] ?? 0
}
