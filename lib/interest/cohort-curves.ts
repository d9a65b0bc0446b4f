import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { Count } from '@/lib/contract/interest'
import { admissionYear, dayZero } from './cohort'
import type { InUnits, YearDays } from './interest-counts'

/** A cohort's cumulative numbers by the end of each of the days, until the snapshot's day or the last. */
type CohortCurve = { year: number } & InUnits<readonly Count[]>

export type CycleCurves = {
  /** Cycle days, ascending: each, or for managers the last of each week. */
  days: readonly number[]
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
  const { from, to } = admissionYear(cohort, cycle)
  const days = Array.from({ length: to - from + 1 }, (_, index) => from - dayZero(cohort, cycle) + index)
  const shown = Array.from({ length: COHORTS_SHOWN }, (_, index) => cohort - index)
  const cohorts = shown.flatMap((year) => {
    const known = years.find((one) => one.year === year)
    if (known === undefined && year !== cohort) return []
    const zero = dayZero(year, cycle)
    const past = days.filter((day) => day <= today - zero)
    const valuesOf = (counts: ReadonlyMap<number, number> = new Map()) => {
      const points = curveOf(counts, zero)
      return past.map((day) => valueAt(points, day))
    }
    return [{ year, declarations: valuesOf(known?.declarations), people: valuesOf(known?.people) }]
  })
  return { days, today: today - dayZero(cohort, cycle), cohorts }
}

export type Headline = {
  now: InUnits<Count>
  /** The cohort before, at the same cycle day; null when no declaration is for it. */
  before: InUnits<Count> | null
  /** All that ever came for the cohort before. */
  beforeInAll: InUnits<Count> | null
  /** By which share (0.14: 14 % more) it differs from the cohort before; null where there is nothing to compare with. */
  change: InUnits<number | null>
  /** Declarations; null where there is nobody. */
  perPerson: number | null
}

/** How many are for the cohort, and how many were for the one before by a day of its own cycle. */
export function headline(
  years: readonly YearDays[],
  cohort: number,
  cycle: AdmissionCycle,
  cycleDay: number,
): Headline {
  const untilDay = (year: number, day: number): InUnits | null => {
    const days = years.find((one) => one.year === year)
    if (days === undefined) return null
    const zero = dayZero(year, cycle)
    return {
      declarations: valueAt(curveOf(days.declarations, zero), day),
      people: valueAt(curveOf(days.people, zero), day),
    }
  }
  const now = untilDay(cohort, Infinity) ?? { declarations: 0, people: 0 }
  const before = untilDay(cohort - 1, cycleDay)
  return {
    now,
    before,
    beforeInAll: untilDay(cohort - 1, Infinity),
    change: {
      declarations: change(now.declarations, before?.declarations ?? 0),
      people: change(now.people, before?.people ?? 0),
    },
    perPerson: now.people === 0 ? null : now.declarations / now.people,
  }
}

function change(now: number, before: number): number | null {
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
