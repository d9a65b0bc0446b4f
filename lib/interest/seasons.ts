import type { AdmissionCycle } from '@/lib/contract/settings'
import { sizeOf } from './axis'
import { admissionYear, dayZero } from './cohort'
import type { Rounding } from './rounding'

/** How many of a cohort had come by the end of each day of its admission year, as far as it has passed. */
export type Season = {
  cumulative: readonly number[]
  /** What rounding adds to the variance of a week's count. */
  blur: number
}
export type EarlierSeason = Season & { year: number }

const WEEK = 7

/** The days of a cohort's admission year, from the day zero of its cycle; they begin with a week of the cycle. */
export type SeasonDays = { first: number; last: number; today: number }

export function seasonDays(cohort: number, cycle: AdmissionCycle, today: number): SeasonDays {
  const zero = dayZero(cohort, cycle)
  const { from, to } = admissionYear(cohort, cycle)
  return { first: weekEndBefore(from - zero) + 1, last: to - zero, today: today - zero }
}

function weekEndBefore(day: number): number {
  return Math.floor((day - 1) / WEEK) * WEEK
}

/**
 * How many came by the end of each day of a season, as far as it has passed. `days` are those of the declarations,
 * ascending; what came earlier or later belongs to the first or the last day. Between the ends of weeks, where those
 * alone are known, it is a line.
 */
export function seasonOf(
  days: readonly number[],
  zero: number,
  { first, last }: SeasonDays,
  until: number,
  rounding: Rounding,
): number[] {
  const end = Math.min(last, until)
  const counts: number[] = []
  const step = rounding.isWeekly ? WEEK : 1
  let [place, before] = [0, 0]
  for (let from = first - 1 - step; from < end; from += step) {
    const to = Math.min(from + step, end)
    if (to === end) place = days.length
    while ((days[place] ?? Infinity) - zero <= to) place++
    const after = sizeOf(rounding.count(place))
    if (from >= first - 1)
      for (let day = from + 1; day <= to; day++) counts.push(before + ((after - before) * (day - from)) / (to - from))
    before = after
  }
  return counts
}

/** A difference of two counts that are rounded to the nearest five is off by a variance of so much. */
export function blurOf({ isWeekly }: Rounding): number {
  return isWeekly ? 5 ** 2 / 6 : 0
}

/** How many came by the end of one day of the cycle, which may lie outside the season. */
export function countAt(days: readonly number[], zero: number, day: number, rounding: Rounding): number {
  const sizeAt = (at: number) => sizeOf(rounding.count(days.filter((one) => one - zero <= at).length))
  if (!rounding.isWeekly) return sizeAt(day)
  const from = weekEndBefore(day + 1)
  const [before, after] = [sizeAt(from), sizeAt(from + WEEK)]
  return before + ((after - before) * (day - from)) / WEEK
}

/** Whether a year was seen from its beginning: a service that began later knows only an end. */
export function isSeenFrom([first = Infinity]: readonly number[], beginning: number): boolean {
  return first <= beginning + FIRST_DAYS
}

/** By the end of the fifth week of an admission year, something has come to a school that was there. */
const FIRST_DAYS = 34
