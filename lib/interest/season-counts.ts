import type { AdmissionCycle } from '@/lib/contract/settings'
import { WEEK_DAYS } from '@/lib/time/weeks'
import { findAdmissionYear, findDayZero, toCycleWeekEnd } from './cohort'
import { estimateCount, type Rounding } from './rounding'

/** A service that has run from the start of a year has had a lead by the end of the fifth week. */
const START_TOLERANCE_DAYS = 34

/** The days of a cohort's admission year, counted from its day zero. The first begins a week of the cycle. */
export type SeasonDays = { first: number; last: number; today: number }

export function computeSeasonDays(cohort: number, cycle: AdmissionCycle, today: number): SeasonDays {
  const dayZero = findDayZero(cohort, cycle)
  const { firstDay, lastDay } = findAdmissionYear(cohort, cycle)
  const first = toCycleWeekEnd(firstDay - dayZero) - WEEK_DAYS + 1
  return { first, last: lastDay - dayZero, today: today - dayZero }
}

/* Days of the cycle are ascending. If a rounding shows only the ends of weeks, the days between lie on a line. */

/** Counts until the end of each passed day of a season; earlier and later declarations are of its first or last day. */
export function countSeason(cycleDays: readonly number[], season: SeasonDays, knownUntil: number, rounding: Rounding) {
  const { first } = season
  const end = Math.min(season.last, knownUntil)
  const stepDays = rounding.isWeekly ? WEEK_DAYS : 1
  let passedCount = 0
  const countTo = (day: number) => {
    while ((cycleDays[passedCount] ?? Infinity) <= day) passedCount++
    return estimateCount(rounding.roundCount(day === end ? cycleDays.length : passedCount))
  }
  const counts: number[] = []
  let countBefore = countTo(first - 1)
  for (let from = first - 1; from < end; from += stepDays) {
    const days = Math.min(stepDays, end - from)
    const countAfter = countTo(from + days)
    for (let day = 1; day <= days; day++) counts.push(interpolate(countBefore, countAfter, day, days))
    countBefore = countAfter
  }
  return counts
}

/** Counts until the end of one day of the cycle, which may lie outside the season. */
export function countUntil(cycleDays: readonly number[], day: number, rounding: Rounding): number {
  const countTo = (end: number) =>
    estimateCount(rounding.roundCount(cycleDays.filter((cycleDay) => cycleDay <= end).length))
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
