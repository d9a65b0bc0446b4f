import { isoWeek, mondayOf, mondayOfWeek } from '@/lib/time/weeks'
import type { DayWindow } from './cohort'
import type { CountedLeads, CountedRows } from './counted-leads'

/** What came in an ISO week, `2026-W47`. */
export type WeekCount = { week: string; declarations: number; questions: number }
type Window = DayWindow & { isChosen: readonly boolean[]; isAsked: readonly boolean[] }

/** The ISO weeks in which something came, oldest first. */
export function countWeeks({ declarations, questions }: CountedLeads, window: Window): WeekCount[] {
  const weeks = new Map<number, { declarations: number; questions: number }>()
  addWeeks(weeks, 'declarations', declarations, window.isChosen, window)
  addWeeks(weeks, 'questions', questions, window.isAsked, window)
  return [...weeks].toSorted(([a], [b]) => a - b).map(([monday, counts]) => ({ week: isoWeek(monday), ...counts }))
}

function addWeeks(
  weeks: Map<number, { declarations: number; questions: number }>,
  what: 'declarations' | 'questions',
  { table, rows, day }: CountedRows,
  isChosen: readonly boolean[],
  { from, to }: DayWindow,
): void {
  let [monday, week] = [Number.NaN, { declarations: 0, questions: 0 }]
  for (let place = 0; place < rows.length; place++) {
    const when = day[place] ?? 0
    if (!isChosen[table.school[rows[place] ?? 0] ?? -1] || when < from || when > to) continue
    // Rows are in the order of time, so the week is mostly the one before.
    if (!(when >= monday && when < monday + 7)) {
      monday = mondayOf(when)
      week = weeks.get(monday) ?? { declarations: 0, questions: 0 }
      weeks.set(monday, week)
    }
    week[what] += 1
  }
}

/** A year, so that the same season last year is just on the chart. */
const WEEKS_SHOWN = 53

/**
 * The weeks of a chart, also those in which nothing came: of the period asked for, as far as anything came within it, else
 * the last year up to `today`. Days are numbered from 1 January 1970.
 */
export function shownWeeks<Figures>(
  known: readonly (Figures & { week: string })[],
  none: Figures,
  { from, to }: DayWindow,
  today: number,
): (Figures & { week: string })[] {
  const first = known[0] && mondayOfWeek(known[0].week)
  const last = mondayOf(Math.min(to, today))
  const isOpen = !Number.isFinite(from) && !Number.isFinite(to)
  const start = isOpen ? last - (WEEKS_SHOWN - 1) * 7 : mondayOf(Number.isFinite(from) ? from : (first ?? last))
  const byWeek = new Map(known.map((one) => [one.week, one]))
  const length = Math.min(MOST_WEEKS, Math.max(0, (last - start) / 7 + 1))
  return Array.from({ length }, (_, index) => {
    const week = isoWeek(last - (length - 1 - index) * 7)
    return byWeek.get(week) ?? { week, ...none }
  })
}

/** Ten years: the period may begin in the year 1900. */
const MOST_WEEKS = 522
