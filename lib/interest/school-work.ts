import { getOrCreate } from '@/lib/get-or-create'
import type { TriageById } from '@/lib/leads/triage-entry'
import type { WorkRules } from '@/lib/leads/work-rules'
import { MINUTE_MS } from '@/lib/time/durations'
import { formatIsoDay, parseIsoDay, startOfStockholmDay, toStockholmEpochDay } from '@/lib/time/stockholm'
import type { WorkRow } from './board-rows'
import type { DayWindow } from './cohort'
import type { CountedRows } from './interest-table'
import type { Rounding } from './rounding'

/** The exact figures of what the staff of a school have to answer, and of what they have answered. */
export type SchoolWork = {
  /** The number of questions without an answer. */
  waitingCount: number
  /** The number of waiting questions whose last day is over. */
  lateCount: number
  /** The number of leads of the period that met or missed the goal. */
  judgedCount: number
  metGoalCount: number
  /** The minutes to the first answer of every answered lead, of any period. */
  answerMinutes: number[]
}

export function createSchoolWork(): SchoolWork {
  return { waitingCount: 0, lateCount: 0, judgedCount: 0, metGoalCount: 0, answerMinutes: [] }
}

export function toWorkRow(schools: readonly SchoolWork[], { roundCount, roundShare }: Rounding): WorkRow {
  const sum = (name: Exclude<keyof SchoolWork, 'answerMinutes'>) =>
    schools.reduce((total, work) => total + work[name], 0)
  const judgedCount = sum('judgedCount')
  return {
    waitingCount: roundCount(sum('waitingCount')),
    lateCount: roundCount(sum('lateCount')),
    judgedCount: roundCount(judgedCount),
    withinGoalShare: roundShare(sum('metGoalCount'), judgedCount),
  }
}

type AnswersQuery = {
  triage: TriageById
  rules: Pick<WorkRules, 'workSince' | 'toDueDay'>
  /** Only leads that came on these days are judged. */
  judgedWindow: DayWindow
  todayEpochDay: number
}

/** Adds a list's answers to its schools' work. A lead is judged once it is answered or its last day is over. */
export function addAnswers(getSchoolWork: (school: string) => SchoolWork, counted: CountedRows, query: AnswersQuery) {
  const { table, rows, days } = counted
  const { rules, judgedWindow, todayEpochDay } = query
  const answerTimes = findAnswerTimes(table, query.triage)
  const schools = table.schoolIds.map(getSchoolWork)
  const dueDays = new Map<number, number | null>()
  for (const [index, row] of rows.entries()) {
    const work = schools[table.schoolIndex[row] ?? -1]
    const answeredAt = answerTimes.get(row)
    if (work === undefined || answeredAt === null) continue
    const createdAt = table.createdAt[row] ?? 0
    // The time is never negative, although the service may date a lead later than this server's clock.
    if (answeredAt !== undefined) work.answerMinutes.push(Math.max(0, answeredAt - createdAt) / MINUTE_MS)
    const day = days[index] ?? 0
    // Leads of cohorts whose admission is over are judged, too: they were work when they came.
    if (day < judgedWindow.firstDay || day > judgedWindow.lastDay || createdAt < rules.workSince) continue
    const dueDay = getOrCreate(dueDays, day, () => {
      const isoDay = rules.toDueDay(startOfStockholmDay(formatIsoDay(day)))
      return isoDay === null ? null : parseIsoDay(isoDay)
    })
    if (dueDay === null || (answeredAt === undefined && dueDay >= todayEpochDay)) continue
    work.judgedCount++
    if (answeredAt !== undefined && toStockholmEpochDay(answeredAt) <= dueDay) work.metGoalCount++
  }
}

/** Finds by row when a lead was answered (ms), or null if it needs no answer. Open leads have no entry. */
function findAnswerTimes(table: CountedRows['table'], triage: TriageById): ReadonlyMap<number, number | null> {
  const times = new Map<number, number | null>()
  for (const [id, { status, updatedAt, statusChangedAt, answeredAt: firstAnswerAt }] of triage) {
    // A lead that is handled without an attempt was answered in some other way, when it was handled.
    const handledAt = status === 'handled' ? (statusChangedAt ?? updatedAt) : null
    const answeredAt = firstAnswerAt ?? handledAt
    // A lead that the list no longer has gets row -1, which nothing reads.
    if (answeredAt !== null || status === 'dismissed') times.set(table.findRow(id), answeredAt)
  }
  return times
}
