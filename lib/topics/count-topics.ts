import { type DayWindow } from '@/lib/interest/cohort'
import { type CountedRows, eachLead } from '@/lib/interest/counted-leads'
import { isoWeek, mondayOf } from '@/lib/time/weeks'
import { TOPICS } from './topic-list'

const WEEKS_SHOWN = 53

export type TopicCounts = ReturnType<typeof countTopics>
type TopicsQuery = { schools: ReadonlySet<string> | null; now: DayWindow; before: DayWindow }

/** Of each topic and, last, of none: in `now` and `before`, by week and by school of `now`. `bits` by row of the table. */
export function countTopics(
  questions: Pick<CountedRows, 'table' | 'rows' | 'day'>,
  bits: Uint32Array,
  query: TopicsQuery,
) {
  const { schools, now, before } = query
  const { schoolIds, school } = questions.table
  const firstDay = questions.day.reduce((first, day) => Math.min(first, day), now.to)
  const lastMonday = mondayOf(now.to)
  const from = Math.max(mondayOf(Math.max(now.from, firstDay)), lastMonday - (WEEKS_SHOWN - 1) * 7)
  const weeks = Array.from({ length: Math.max(0, (lastMonday - from) / 7 + 1) }, (_, at) => isoWeek(from + at * 7))
  const counts = Array.from({ length: TOPICS.length + 1 }, () => ({
    questions: 0,
    lastYear: 0,
    weeks: new Uint32Array(weeks.length),
    bySchool: new Uint32Array(schoolIds.length),
  }))
  const each = (window: DayWindow, visit: (of: (typeof counts)[number], row: number, day: number) => void) =>
    eachLead(questions, { ...window, schools }, (row, day) => {
      for (let left = bits[row] ?? 0; left !== 0; left &= left - 1) {
        const of = counts[31 - Math.clz32(left & -left)]
        if (of) visit(of, row, day)
      }
    })
  each(now, (of, row, day) => {
    of.questions += 1
    const [at, place] = [(mondayOf(day) - from) / 7, school[row] ?? 0]
    of.weeks[at] = (of.weeks[at] ?? 0) + 1
    of.bySchool[place] = (of.bySchool[place] ?? 0) + 1
  })
  each(before, (of) => (of.lastYear += 1))
  return { weeks, counts, schoolIds, firstDay }
}
