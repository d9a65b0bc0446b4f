import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import { mondayOf } from '@/lib/time/weeks'
import { cycleDate, dayZero } from './cohort'
import type { InterestSelection } from './interest-counts'

/** Days since 1 January 1970, both included. */
export type DayWindow = { from: number; to: number }
/** The leads that are judged, those they are compared with, and those that are shown week by week. */
export type AnswerWindows = { now: DayWindow; before: DayWindow; weeks: DayWindow }

const WEEKS_SHOWN = 53

type WindowsOf = { cohort: number; cycle: AdmissionCycle; today: number; isWithheld: boolean }

/**
 * Without a period: the admission year of the cohort so far, against the year before until as many days from the last day to
 * apply. With one: its days, against those a cycle earlier. Who may only count is told of whole admission years, whatever period
 * they ask for, or a day more would tell of that day.
 */
export function answerWindows(selection: InterestSelection, { cohort, cycle, today, isWithheld }: WindowsOf) {
  const shift = dayZero(cohort, cycle) - dayZero(cohort - 1, cycle)
  const isOpen = selection.from === -Infinity && selection.to === Infinity
  const yearBefore = admissionYear(cohort - 1, cycle)
  if (isWithheld) {
    const now = untilToday(admissionYear(cohort, cycle), today)
    return { now, before: yearBefore, weeks: { from: mondayOf(yearBefore.from), to: today } }
  }
  const now = untilToday(isOpen ? admissionYear(cohort, cycle) : selection, today)
  const from = isOpen ? yearBefore.from : now.from - shift
  const weeks = isOpen ? { from: mondayOf(today) - (WEEKS_SHOWN - 1) * 7, to: today } : now
  return { now, before: { from, to: now.to - shift }, weeks }
}

function admissionYear(cohort: number, cycle: AdmissionCycle): DayWindow {
  return { from: cycleDate(cohort - 1, cycle.reservesEnd) + 1, to: cycleDate(cohort, cycle.reservesEnd) }
}

function untilToday({ from, to }: DayWindow, today: number): DayWindow {
  return { from, to: Math.min(to, today) }
}
