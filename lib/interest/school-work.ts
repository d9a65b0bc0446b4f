import { getOrCreate } from '@/lib/get-or-create'
import type { TriageById } from '@/lib/leads/triage-entry'
import type { WorkRules } from '@/lib/leads/work-rules'
import { MINUTE_MS } from '@/lib/time/durations'
import { formatIsoDay, parseIsoDay, startOfStockholmDay, toStockholmEpochDay } from '@/lib/time/stockholm'
import type { WorkRow } from './board-rows'
import type { DayWindow } from './cohort'
import type { CountedRows } from './interest-table'
import type { Rounding } from './rounding'

/** What the staff of a school have to do, and how they have done, in exact numbers. */
export type SchoolWork = {
  /** So many questions wait for an answer, and so many of them are late. */
  waiting: number
  late: number
  /** So many leads were due, and so many of them met the goal. */
  judged: number
  metGoal: number
  /** Each answered lead has waited so long. */
  minutes: number[]
}

export const createSchoolWork = (): SchoolWork => ({ waiting: 0, late: 0, judged: 0, metGoal: 0, minutes: [] })

export function toWorkRow(schools: readonly SchoolWork[], { roundCount, roundShare }: Rounding): WorkRow {
  const sum = (name: Exclude<keyof SchoolWork, 'minutes'>) => schools.reduce((total, work) => total + work[name], 0)
  const judged = sum('judged')
  return {
    waiting: roundCount(sum('waiting')),
    late: roundCount(sum('late')),
    judged: roundCount(judged),
    withinGoal: roundShare(sum('metGoal'), judged),
  }
}

type AnswersQuery = {
  triage: TriageById
  rules: Pick<WorkRules, 'workSince' | 'toDueDay'>
  /** Leads that came on other days are not judged. */
  window: DayWindow
  today: number
}

/** Adds a list's answers to the work of their schools. A lead is judged once it is answered or its last day is over. */
export function addAnswers(getSchoolWork: (school: string) => SchoolWork, counted: CountedRows, query: AnswersQuery) {
  const { table, rows, days } = counted
  const { triage, rules, window, today } = query
  // A row has its answer's moment (ms), or null if none is needed. The row of a gone lead, -1, is never read.
  const answerMoments = new Map<number, number | null>()
  for (const [id, { status, updatedAt, statusChangedAt, answeredAt: firstAnswerAt }] of triage) {
    // A lead that is handled without an attempt was answered in some other way, at that moment.
    const handledAt = status === 'handled' ? (statusChangedAt ?? updatedAt) : null
    const answeredAt = firstAnswerAt ?? handledAt
    if (answeredAt !== null || status === 'dismissed') answerMoments.set(table.findRow(id), answeredAt)
  }
  const schools = table.schoolIds.map(getSchoolWork)
  const dueDays = new Map<number, number | null>()
  for (const [index, row] of rows.entries()) {
    const work = schools[table.schoolIndex[row] ?? -1]
    const answeredAt = answerMoments.get(row)
    if (work === undefined || answeredAt === null) continue
    const createdAt = table.createdAt[row] ?? 0
    // A lead may be dated later than this server's clock.
    if (answeredAt !== undefined) work.minutes.push(Math.max(0, answeredAt - createdAt) / MINUTE_MS)
    const day = days[index] ?? 0
    // Leads of cohorts whose admission is over are judged, too: they were work when they came.
    if (day < window.firstDay || day > window.lastDay || createdAt < rules.workSince) continue
    const dueDay = getOrCreate(dueDays, day, () => {
      const text = rules.toDueDay(startOfStockholmDay(formatIsoDay(day)))
      return text === null ? null : parseIsoDay(text)
    })
    if (dueDay === null || (answeredAt === undefined && dueDay >= today)) continue
    work.judged++
    if (answeredAt !== undefined && toStockholmEpochDay(answeredAt) <= dueDay) work.metGoal++
  }
}

/** Computes the value below which `share` of the numbers lie, like SQL's percentile_cont; null if there are none. */
export function computeQuantile(ascending: ArrayLike<number>, share: number): number | null {
  const index = (ascending.length - 1) * share
  const below = ascending[Math.floor(index)]
  const above = ascending[Math.ceil(index)]
  if (below === undefined || above === undefined) return null
  return below + (above - below) * (index - Math.floor(index))
}
