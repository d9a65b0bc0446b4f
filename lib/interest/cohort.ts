import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import { epochDayOf } from './epoch-day'

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

const YEARS_BACK = 4
const YEARS_AHEAD = 5

/** A year outside is a typing error or somebody's test; screens gather such in one column. */
export function isPlausibleYear(year: number | null, thisYear: number): year is number {
  return year !== null && year >= thisYear - YEARS_BACK && year <= thisYear + YEARS_AHEAD
}
