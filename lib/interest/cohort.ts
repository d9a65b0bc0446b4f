import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import { addDays, dayText, type Period } from '@/lib/time/stockholm'
import { epochDayOf } from '@/lib/time/weeks'

/** The day (since 1 January 1970) of a cohort's year that a date `MM-dd` of the cycle falls on. */
export function cycleDate(cohort: number, date: string): number {
  const [month = 1, day = 1] = date.split('-').map(Number)
  return epochDayOf(cohort, month, day)
}

/** Day 0 of a cohort: the last day of its application. */
export function dayZero(cohort: number, cycle: AdmissionCycle): number {
  return cycleDate(cohort, cycle.applicationCloses)
}

/** The cohort one asks about on a day (`yyyy-MM-dd`): this year's until its reserves are in, then next year's. */
export function defaultCohort(today: string, cycle: AdmissionCycle): number {
  return Number(today.slice(0, 4)) + (today.slice(5) <= cycle.reservesEnd ? 0 : 1)
}

export const periodPresets = ['all', 'admission-year', '90-days', '30-days'] as const
type PeriodPreset = (typeof periodPresets)[number]
/** What presets are relative to. */
export type PeriodBasis = { cohort: number; cycle: AdmissionCycle; today: string }

/** The last days are open towards the future, so that a saved link goes on to show what is new. */
export function periodOf(preset: PeriodPreset, { cohort, cycle, today }: PeriodBasis): Period {
  switch (preset) {
    case 'all':
      return { from: null, to: null }
    case 'admission-year':
      return {
        from: dayText(cycleDate(cohort - 1, cycle.reservesEnd) + 1),
        to: dayText(cycleDate(cohort, cycle.reservesEnd)),
      }
    case '90-days':
      return { from: addDays(today, -89), to: null }
    case '30-days':
      return { from: addDays(today, -29), to: null }
    default:
      return preset satisfies never
  }
}

/** The preset that a period is, null for one of the person's own. */
export function presetOf(period: Period, basis: PeriodBasis): PeriodPreset | null {
  const isSame = (preset: PeriodPreset) => {
    const { from, to } = periodOf(preset, basis)
    return from === period.from && to === period.to
  }
  return periodPresets.find(isSame) ?? null
}
