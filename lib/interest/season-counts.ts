import type { AdmissionCycle } from '@/lib/contract/settings'
import { WEEK_DAYS } from '@/lib/time/weeks'
import { findAdmissionYear, findDayZero, toCycleWeekEnd } from './cohort'
import { estimateCount, type Rounding } from './rounding'

/** A service that has run from the start has had a lead by the end of the fifth week. */
const START_TOLERANCE_DAYS = 34

/** The days of a cohort's admission year, counted from its day zero. The first begins a week of the cycle. */
export type SeasonDays = { first: number; last: number; today: number }

export function computeSeasonDays(cohort: number, cycle: AdmissionCycle, today: number): SeasonDays {
  const dayZero = findDayZero(cohort, cycle)
  const { firstDay, lastDay } = findAdmissionYear(cohort, cycle)
  const first = toCycleWeekEnd(firstDay - dayZero) - WEEK_DAYS + 1
  return { first, last: lastDay - dayZero, today: today - dayZero }
}

/**
 * Counts the declarations until the end of each passed day of a season; earlier and later ones are of its first or last
 * day. `declarationDays` are ascending. If only the ends of weeks are known, the days between lie on a line.
 */
export function countSeason(
  declarationDays: readonly number[],
  dayZero: number,
  { first, last }: SeasonDays,
  lastKnownDay: number,
  rounding: Rounding,
): number[] {
  const end = Math.min(last, lastKnownDay)
  const stepDays = rounding.isWeekly ? WEEK_DAYS : 1
  let passedCount = 0
  const countTo = (day: number) => {
    while ((declarationDays[passedCount] ?? Infinity) - dayZero <= day) passedCount++
    return estimateCount(rounding.roundCount(day === end ? declarationDays.length : passedCount))
  }
  const counts: number[] = []
  let before = countTo(first - 1)
  for (let from = first - 1; from < end; from += stepDays) {
    const days = Math.min(stepDays, end - from)
    const after = countTo(from + days)
    for (let day = 1; day <= days; day++) counts.push(interpolate(before, after, day, days))
    before = after
  }
  return counts
}

/** Counts the declarations until the end of one day of the cycle, which may lie outside the season. */
export function countUntil(
  declarationDays: readonly number[],
  dayZero: number,
  day: number,
  rounding: Rounding,
): number {
  const countTo = (end: number) => {
    const passed = declarationDays.filter((declarationDay) => declarationDay - dayZero <= end)
    return estimateCount(rounding.roundCount(passed.length))
  }
  if (!rounding.isWeekly) return countTo(day)
  const from = toCycleWeekEnd(day + 1) - WEEK_DAYS
  return interpolate(countTo(from), countTo(from + WEEK_DAYS), day - from, WEEK_DAYS)
}

function interpolate(before: number, after: number, day: number, days: number): number {
  return before + ((after - before) * day) / days
}

/** Tells whether the service had leads from the start of an admission year. Otherwise only the year's end is known. */
export function isSeenFromStart(firstDay: number, firstLeadDay = Infinity): boolean {
  return firstLeadDay <= firstDay + START_TOLERANCE_DAYS
}
