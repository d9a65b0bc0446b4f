import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import { dayZero } from './cohort'
import { curveOf, valueAt } from './curve'
import type { Headline, InUnits } from './interest-page'
import type { YearDays } from './year-days'

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
