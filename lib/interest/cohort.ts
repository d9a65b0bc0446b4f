import { epochDayOf, mondayOf } from '@/lib/time/weeks'

/** The dates come in this order. A cycle begins and ends within one calendar year. */
export const admissionDates = [
  'applicationOpens',
  'applicationCloses',
  'preliminary',
  'changePeriodEnds',
  'final',
  'reservesEnd',
] as const
export type AdmissionDate = (typeof admissionDates)[number]
/** Each date is `MM-dd`. */
type AdmissionDays = Readonly<Record<AdmissionDate, string>>

export const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** Whether a text is a day `MM-dd` of every year; the 29th of February is in some only. */
export function isDayOfEveryYear(text: string): boolean {
  if (!/^\d\d-\d\d$/.test(text)) return false
  const [month = 0, day = 0] = text.split('-').map(Number)
  return day >= 1 && day <= (daysOfMonth[month - 1] ?? 0)
}

export function firstOutOfOrder(cycle: AdmissionDays): AdmissionDate | null {
  const isEarly = (name: AdmissionDate, index: number) => {
    const before = admissionDates[index - 1]
    return before !== undefined && cycle[before] >= cycle[name]
  }
  return admissionDates.find(isEarly) ?? null
}

/** Replaces the month or the day of a date `MM-dd`. A day that the month does not have becomes its last. */
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

/** Days since 1 January 1970, both included. */
export type DayWindow = { from: number; to: number }

/** The days on which one asks about a cohort: from the day after the reserves of the one before were in. */
export function admissionYear(cohort: number, cycle: AdmissionDays): DayWindow {
  return { from: cycleDate(cohort - 1, cycle.reservesEnd) + 1, to: cycleDate(cohort, cycle.reservesEnd) }
}

const WEEK = 7
/** A year back is whole weeks, so that both periods have as many days of each weekday. */
const YEAR_OF_WEEKS = 52 * WEEK

type WindowsQuery = { cohort: number; cycle: AdmissionDays; today: number; isWeekly: boolean }

/** The admission year so far, and the same days 52 weeks before. `isWeekly` takes whole weeks that have ended. */
export function seasonWindows({ cohort, cycle, today, isWeekly }: WindowsQuery): { now: DayWindow; before: DayWindow } {
  const { from, to } = admissionYear(cohort, cycle)
  const now = isWeekly
    ? { from: mondayOf(from), to: Math.min(mondayOf(to) + WEEK, mondayOf(today)) - 1 }
    : { from, to: Math.min(to, today) }
  return { now, before: { from: now.from - YEAR_OF_WEEKS, to: now.to - YEAR_OF_WEEKS } }
}

/** The cohort one asks about on a day (`yyyy-MM-dd`): this year's until its reserves are in, then next year's. */
export function defaultCohort(today: string, cycle: AdmissionDays): number {
  return Number(today.slice(0, 4)) + (today.slice(5) <= cycle.reservesEnd ? 0 : 1)
}
