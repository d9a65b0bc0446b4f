import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import { addDays, dayText, epochDay, type Period } from '@/lib/time/stockholm'
import { epochDayOf, mondayOf } from '@/lib/time/weeks'

/** The day (since 1 January 1970) of a cohort's year that a date `MM-dd` of the cycle falls on. */
export function cycleDate(cohort: number, date: string): number {
  const [month = 1, day = 1] = date.split('-').map(Number)
  return epochDayOf(cohort, month, day)
}

/** Day 0 of a cohort: the last day of its application. */
export function dayZero(cohort: number, cycle: AdmissionCycle): number {
  return cycleDate(cohort, cycle.applicationCloses)
}

/** The first and the last day since 1 January 1970; infinite where a period is open. */
export type DayWindow = { from: number; to: number }

/** The days on which one asks about a cohort: from the day after the reserves of the one before were in. */
export function admissionYear(cohort: number, cycle: AdmissionCycle): DayWindow {
  return { from: cycleDate(cohort - 1, cycle.reservesEnd) + 1, to: cycleDate(cohort, cycle.reservesEnd) }
}

/** The cohort one asks about on a day (`yyyy-MM-dd`): this year's until its reserves are in, then next year's. */
export function defaultCohort(today: string, cycle: AdmissionCycle): number {
  return Number(today.slice(0, 4)) + (today.slice(5) <= cycle.reservesEnd ? 0 : 1)
}

/** The calendar months and the ISO weeks of an admission year as far as it has gone, the newest first; by their days. */
export function monthsAndWeeks({ cohort, cycle, today }: PeriodBasis) {
  const year = admissionYear(cohort, cycle)
  const last = Math.min(year.to, epochDay(today))
  const [newest, oldest] = [monthOf(last), monthOf(year.from)]
  const monday = mondayOf(last)
  const count = last < year.from ? 0 : 1
  return {
    months: Array.from({ length: count * (newest - oldest + 1) }, (_, index) => ({
      from: beginOfMonth(newest - index),
      to: beginOfMonth(newest - index + 1) - 1,
    })),
    weeks: Array.from({ length: count * ((monday - mondayOf(year.from)) / 7 + 1) }, (_, index) => ({
      from: monday - index * 7,
      to: monday - index * 7 + 6,
    })),
  }
}

/** Months are numbered from the beginning of the calendar. */
function monthOf(day: number): number {
  const [year = 0, month = 1] = dayText(day).split('-').map(Number)
  return year * 12 + month - 1
}

function beginOfMonth(month: number): number {
  return epochDayOf(Math.floor(month / 12), (month % 12) + 1, 1)
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
    case 'admission-year': {
      const { from, to } = admissionYear(cohort, cycle)
      return { from: dayText(from), to: dayText(to) }
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
