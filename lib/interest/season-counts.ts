import type { AdmissionCycle } from '@/lib/contract/settings'
import { sizeOf } from './axis'
import { admissionYear, dayZero } from './cohort'
import { endOfCycleWeek, type Rounding } from './rounding'

const WEEK = 7

/** The days of a cohort's admission year, counted from the day zero of its cycle. The first begins a week of the cycle. */
export type SeasonDays = { first: number; last: number; today: number }

export function seasonDays(cohort: number, cycle: AdmissionCycle, today: number): SeasonDays {
  const zero = dayZero(cohort, cycle)
  const { from, to } = admissionYear(cohort, cycle)
  return { first: endOfCycleWeek(from - zero) - WEEK + 1, last: to - zero, today: today - zero }
}

/**
 * Counts how many had come by the end of each passed day of a season. `days` are those of the declarations, ascending; what came
 * earlier or later belongs to the first or the last day. Where only the ends of weeks are known, the days between lie on a line.
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

/** How many came by the end of one day of the cycle, which may lie outside the season. */
export function countAt(days: readonly number[], zero: number, day: number, rounding: Rounding): number {
  const sizeAt = (end: number) => sizeOf(rounding.count(days.filter((one) => one - zero <= end).length))
  if (!rounding.isWeekly) return sizeAt(day)
  const from = endOfCycleWeek(day + 1) - WEEK
  const [before, after] = [sizeAt(from), sizeAt(from + WEEK)]
  return before + ((after - before) * (day - from)) / WEEK
}

/** Whether a year was seen from its beginning: a service that began later knows only an end. `first` is the day of its first lead. */
export function isSeenFrom(beginning: number, first = Infinity): boolean {
  return first <= beginning + FIRST_DAYS
}

/** By the end of the fifth week of an admission year, something has come to a school that was there. */
const FIRST_DAYS = 34
