import type { AdmissionCycle } from '@/lib/contract/settings'
import { WEEK_DAYS } from '@/lib/time/weeks'
import { findAdmissionYear, findDayZero, toCycleWeekEnd } from './cohort'
import { estimateCount, type Rounding } from './rounding'

/** A service that has run from the start of a year has had a lead by the end of the fifth week. */
const START_TOLERANCE_DAYS = 34

/** The days of a cohort's admission year, counted from its day zero. The first one begins a week of the cycle. */
export type SeasonDays = { firstCycleDay: number; lastCycleDay: number; todayCycleDay: number }

export function computeSeasonDays(cohort: number, cycle: AdmissionCycle, todayEpochDay: number): SeasonDays {
  const dayZero = findDayZero(cohort, cycle)
  const { firstDay, lastDay } = findAdmissionYear(cohort, cycle)
  const firstCycleDay = toCycleWeekEnd(firstDay - dayZero) - WEEK_DAYS + 1
  return { firstCycleDay, lastCycleDay: lastDay - dayZero, todayCycleDay: todayEpochDay - dayZero }
}

/* Cycle days are ascending. A weekly rounding counts only at the ends of weeks, and draws a line between them. */

/** Counts until the end of each passed day of a season, whose ends include what came before or after it. */
export function countSeason(cycleDays: readonly number[], season: SeasonDays, knownUntil: number, rounding: Rounding) {
  const dayBefore = season.firstCycleDay - 1
  const endDay = Math.min(season.lastCycleDay, knownUntil)
  const stepDays = rounding.isWeekly ? WEEK_DAYS : 1
  let passedCount = 0
  const countTo = (day: number) => {
    while ((cycleDays[passedCount] ?? Infinity) <= day) passedCount++
    return estimateCount(rounding.roundCount(day === endDay ? cycleDays.length : passedCount))
  }
  const counts: number[] = []
  let countBefore = countTo(dayBefore)
  for (let from = dayBefore; from < endDay; from += stepDays) {
    const days = Math.min(stepDays, endDay - from)
    const countAfter = countTo(from + days)
    for (let day = 1; day <= days; day++) counts.push(interpolate(countBefore, countAfter, day, days))
    countBefore = countAfter
  }
  return counts
}

/** Counts until the end of one day of the cycle, which may lie outside the season. */
export function countUntil(cycleDays: readonly number[], day: number, rounding: Rounding): number {
  const countTo = (endDay: number) =>
    estimateCount(rounding.roundCount(cycleDays.filter((cycleDay) => cycleDay <= endDay).length))
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
