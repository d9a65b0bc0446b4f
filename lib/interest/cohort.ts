import { addDays, dayText, epochDay, type Period } from '@/lib/time/stockholm'
import { epochDayOf, mondayOf } from '@/lib/time/weeks'

/** In the order in which they come. A cycle begins and ends within one calendar year. */
export const admissionDates = [
  'applicationOpens',
  'applicationCloses',
  'preliminary',
  'changePeriodEnds',
  'final',
  'reservesEnd',
] as const
export type AdmissionDate = (typeof admissionDates)[number]
/** Each as `MM-dd`. */
type AdmissionDays = Readonly<Record<AdmissionDate, string>>

export const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** `MM-dd`; the 29th of February is in some years only. */
export function isDayOfEveryYear(text: string): boolean {
  if (!/^\d\d-\d\d$/.test(text)) return false
  const [month = 0, day = 0] = text.split('-').map(Number)
  return day >= 1 && day <= (daysOfMonth[month - 1] ?? 0)
}

export function firstOutOfOrder(cycle: AdmissionDays): AdmissionDate | null {
  const late = admissionDates.find((name, index) => {
    const before = admissionDates[index - 1]
    return before !== undefined && cycle[before] >= cycle[name]
  })
  return late ?? null
}

/** `MM-dd` with another month, or another day; a day the month does not have becomes its last. */
export function withPart(date: string, part: { month?: number; day?: number }): string {
  const [oldMonth = 1, oldDay = 1] = date.split('-').map(Number)
  const month = part.month ?? oldMonth
  const day = Math.min(part.day ?? oldDay, daysOfMonth[month - 1] ?? 31)
  return `${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** The day (since 1 January 1970) of a cohort's year that a date `MM-dd` of the cycle falls on. */
export function cycleDate(cohort: number, date: string): number {
  const [month = 1, day = 1] = date.split('-').map(Number)
  return epochDayOf(cohort, month, day)
}

export function dayZero(cohort: number, cycle: AdmissionDays): number {
  return cycleDate(cohort, cycle.applicationCloses)
}

/** Days since 1 January 1970; infinite where a period is open. */
export type DayWindow = { from: number; to: number }

/** The days on which one asks about a cohort: from the day after the reserves of the one before were in. */
export function admissionYear(cohort: number, cycle: AdmissionDays): DayWindow {
  return { from: cycleDate(cohort - 1, cycle.reservesEnd) + 1, to: cycleDate(cohort, cycle.reservesEnd) }
}

/** The cohort one asks about on a day (`yyyy-MM-dd`): this year's until its reserves are in, then next year's. */
export function defaultCohort(today: string, cycle: AdmissionDays): number {
  return Number(today.slice(0, 4)) + (today.slice(5) <= cycle.reservesEnd ? 0 : 1)
}

/** The calendar months and ISO weeks of an admission year so far, the newest first; by their days. */
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

function monthOf(day: number): number {
  const [year = 0, month = 1] = dayText(day).split('-').map(Number)
  return year * 12 + month - 1
}

function beginOfMonth(month: number): number {
  return epochDayOf(Math.floor(month / 12), (month % 12) + 1, 1)
}

export const periodPresets = ['all', 'admission-year', '90-days', '30-days'] as const
type PeriodPreset = (typeof periodPresets)[number]
export type PeriodBasis = { cohort: number; cycle: AdmissionDays; today: string }

export function periodOf(preset: PeriodPreset, { cohort, cycle, today }: PeriodBasis): Period {
  const year = admissionYear(cohort, cycle)
  // The last days are open towards the future, so that a saved link goes on to show what is new.
  const periods: Record<PeriodPreset, Period> = {
    all: { from: null, to: null },
    'admission-year': { from: dayText(year.from), to: dayText(year.to) },
    '90-days': { from: addDays(today, -89), to: null },
    '30-days': { from: addDays(today, -29), to: null },
  }
  return periods[preset]
}

export function presetOf(period: Period, basis: PeriodBasis): PeriodPreset | null {
  const isSame = (preset: PeriodPreset) => {
    const { from, to } = periodOf(preset, basis)
    return from === period.from && to === period.to
  }
  return periodPresets.find(isSame) ?? null
}
