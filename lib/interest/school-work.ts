import type { TriageById } from '@/lib/leads/triage-columns'
import type { WorkRules } from '@/lib/leads/work-rules'
import { dayText, epochDay, stockholmDayStart, stockholmEpochDay } from '@/lib/time/stockholm'
import type { WorkRow } from './board-rows'
import type { DayWindow } from './cohort'
import type { CountedRows } from './interest-table'
import type { Rounding } from './rounding'

/** What the staff of a school have to do, and how they have done, in exact numbers. */
export type SchoolWork = {
  /** Questions that wait for an answer, and the late ones among them. */
  waiting: number
  late: number
  /** Leads that were due, and those of them that met the goal. */
  judged: number
  metGoal: number
  /** So long has each answered lead waited. */
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
export function addAnswers(
  getSchoolWork: (school: string) => SchoolWork,
  { table, rows, days }: CountedRows,
  { triage, rules, window, today }: AnswersQuery,
): void {
  // Each row has the moment of its answer in ms, NaN where there is none, and `NOT_DUE` where none is due.
  const answeredAt = new Float64Array(table.size).fill(Number.NaN)
  for (const [id, { status, updatedAt, statusChangedAt, answeredAt: firstAnswerAt }] of triage) {
    const row = table.findRow(id)
    if (row === -1) continue
    // A lead that is handled without an attempt was answered in some other way, at that moment.
    const handledAt = status === 'handled' ? (statusChangedAt ?? updatedAt) : null
    answeredAt[row] = firstAnswerAt ?? (status === 'dismissed' ? NOT_DUE : (handledAt ?? Number.NaN))
  }
  const schools = table.schoolIds.map(getSchoolWork)
  let [lastDay, dueDayNumber]: [number, number | null] = [Number.NaN, null]
  for (const [index, row] of rows.entries()) {
    const work = schools[table.school[row] ?? -1]
    const answeredMs = answeredAt[row] ?? Number.NaN
    if (work === undefined || answeredMs === NOT_DUE) continue
    const createdAt = table.createdAt[row] ?? 0
    const hasAnswer = !Number.isNaN(answeredMs)
    // A lead may be dated later than this server's clock.
    if (hasAnswer) work.minutes.push(Math.max(0, answeredMs - createdAt) / 60_000)
    const day = days[index] ?? 0
    // Leads of cohorts whose admission is over are judged, too: they were work when they came.
    if (day < window.firstDay || day > window.lastDay || createdAt < rules.workSince) continue
    // Rows are in the order of time, so most have the same day as the row before.
    if (day !== lastDay) {
      const text = rules.toDueDay(stockholmDayStart(dayText(day)))
      dueDayNumber = text === null ? null : epochDay(text)
      lastDay = day
    }
    if (dueDayNumber === null || (!hasAnswer && dueDayNumber >= today)) continue
    work.judged++
    if (hasAnswer && stockholmEpochDay(answeredMs) <= dueDayNumber) work.metGoal++
  }
}

const NOT_DUE = Infinity

/** Computes the value below which `share` of ascending numbers lie, like SQL's percentile_cont; null if there are none. */
export function computeQuantile(ascending: ArrayLike<number>, share: number): number | null {
  const index = (ascending.length - 1) * share
  const below = ascending[Math.floor(index)]
  const above = ascending[Math.ceil(index)]
  if (below === undefined || above === undefined) return null
  return below + (above - below) * (index - Math.floor(index))
}
