import type { AdmissionCycle } from '@/lib/contract/settings'
import { findAdmissionYear, findDayZero, toCycleWeekEnd } from './cohort'
import { estimateCount, type Rounding } from './rounding'

const WEEK = 7

/** The days of a cohort's admission year, counted from the day zero of its cycle. The first begins a week of the cycle. */
export type SeasonDays = { first: number; last: number; today: number }

export function computeSeasonDays(cohort: number, cycle: AdmissionCycle, today: number): SeasonDays {
  const zero = findDayZero(cohort, cycle)
  const { firstDay, lastDay } = findAdmissionYear(cohort, cycle)
  return { first: toCycleWeekEnd(firstDay - zero) - WEEK + 1, last: lastDay - zero, today: today - zero }
}

/**
 * Counts how many had come by the end of each passed day of a season. `days` are those of the declarations, ascending; earlier or later ones belong
 * to the first or the last day. Where only the ends of weeks are known, the days between lie on a line.
 */
export function countSeason(
  days: readonly number[],
  zeroDay: number,
  { first, last }: SeasonDays,
  lastKnownDay: number,
  rounding: Rounding,
): number[] {
  const end = Math.min(last, lastKnownDay)
  const step = rounding.isWeekly ? WEEK : 1
  let place = 0
  const countTo = (day: number) => {
    while ((days[place] ?? Infinity) - zeroDay <= day) place++
    return estimateCount(rounding.roundCount(day === end ? days.length : place))
  }
  const counts: number[] = []
  let before = countTo(first - 1)
  for (let from = first - 1; from < end; from += step) {
    const to = Math.min(from + step, end)
    const after = countTo(to)
    for (let day = from + 1; day <= to; day++) counts.push(before + ((after - before) * (day - from)) / (to - from))
    before = after
  }
  return counts
}

/** Counts how many came by the end of one day of the cycle, which may lie outside the season. */
export function countUntil(days: readonly number[], zero: number, day: number, rounding: Rounding): number {
  const countToEnd = (end: number) => estimateCount(rounding.roundCount(days.filter((one) => one - zero <= end).length))
  if (!rounding.isWeekly) return countToEnd(day)
  const from = toCycleWeekEnd(day + 1) - WEEK
  const [before, after] = [countToEnd(from), countToEnd(from + WEEK)]
  return before + ((after - before) * (day - from)) / WEEK
}

/** Whether the service had leads from the start of an admission year: one that began later knows its end only. */
export function isSeenFromStart(firstDay: number, firstLeadDay = Infinity): boolean {
  return firstLeadDay <= firstDay + START_TOLERANCE_DAYS
}

/** A service that has run from the start has had a lead by the end of the fifth week. */
const START_TOLERANCE_DAYS = 34
