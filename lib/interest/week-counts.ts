import type { CountedLeads, CountedRows } from './counted-leads'
import { isoWeek, mondayOf } from './iso-week'

export type WeekCount = { week: string; declarations: number; questions: number }
type Window = { from: number; to: number; isChosen: readonly boolean[]; isAsked: readonly boolean[] }

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
  { from, to }: Pick<Window, 'from' | 'to'>,
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
