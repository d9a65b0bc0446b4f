import type { DueDays } from '@/lib/contract/day'
import { addDays, stockholmDay, stockholmDayEnd, stockholmDayStart } from '@/lib/time/stockholm'
import type { LeadTable } from './lead-table'
import { FLAGS, type TriageColumns } from './triage-columns'
import type { TriageById } from './triage-entry'
import { createIsEarlier, type WorkRules } from './work-rules'

export type WorkCounts = ReturnType<typeof countWork>

/** Counts the work among rows (newest first) by queue. `untouched` are new, neither snoozed nor earlier than the work. */
export function countWork(
  table: LeadTable,
  rows: Uint32Array,
  { flags, assignee, assignees }: TriageColumns,
  work: WorkRules,
  due: DueDays | null = null,
) {
  const { createdAt, school } = table
  const isEarlier = createIsEarlier(table, work)
  const dueUntil = due === null ? -Infinity : stockholmDayEnd(due.to)
  const openCounts = new Uint32Array(assignees.length)
  const waitingBySchool = new Uint32Array(table.schoolIds.length)
  const lateBySchool = new Uint32Array(table.schoolIds.length)
  const numbers = { late: 0, dueToday: 0, waiting: 0, followUps: 0, snoozed: 0, unassigned: 0 }
  let untouched = 0
  let oldestLateRow: number | null = null
  for (const row of rows) {
    const rowFlags = flags[row] ?? 0
    if (rowFlags & FLAGS.FOLLOW_UP) numbers.followUps++
    if (rowFlags & FLAGS.SNOOZED) numbers.snoozed++
    if ((rowFlags & FLAGS.OPEN) === 0 || isEarlier(row)) continue
    const assigneeIndex = assignee[row] ?? 0
    if ((rowFlags & FLAGS.SNOOZED) === 0) {
      if (rowFlags & FLAGS.NEW) untouched++
      openCounts[assigneeIndex] = (openCounts[assigneeIndex] ?? 0) + 1
    }
    if ((rowFlags & FLAGS.NEEDS_ANSWER) === 0) continue
    numbers.waiting++
    const schoolIndex = school[row] ?? 0
    waitingBySchool[schoolIndex] = (waitingBySchool[schoolIndex] ?? 0) + 1
    if (assigneeIndex === 0) numbers.unassigned++
    const arrival = createdAt[row] ?? 0
    if (arrival < work.lateBefore) {
      numbers.late++
      lateBySchool[schoolIndex] = (lateBySchool[schoolIndex] ?? 0) + 1
      oldestLateRow = row
    } else if (arrival <= dueUntil) numbers.dueToday++
  }
  const openByAssignee = new Map(assignees.map((id, index) => [id, openCounts[index] ?? 0]))
  return { numbers, untouched, leads: rows.length, waitingBySchool, lateBySchool, openByAssignee, oldestLateRow }
}

/** Finds the days on which leads came that are due today, or null if none are due, as on a Sunday. */
export function findDueDays(work: WorkRules, today: string): DueDays | null {
  if (work.lateBefore === -Infinity || work.toDueDay(work.lateBefore) !== today) return null
  const from = stockholmDay(work.lateBefore)
  let to = from
  while (to < today && work.toDueDay(stockholmDayStart(addDays(to, 1))) === today) to = addDays(to, 1)
  return { from, to }
}

export type FirstAnswer = { row: number; minutes: number; isWithinGoal: boolean | null }

/** Lists the first answers since a moment (ms), each with its lead's row; `isWithinGoal` is null without a goal. */
export function findAnswersSince(table: LeadTable, triage: TriageById, work: WorkRules, since: number): FirstAnswer[] {
  const isEarlier = createIsEarlier(table, work)
  const answers: FirstAnswer[] = []
  for (const [id, { answeredAt = null }] of triage) {
    if (answeredAt === null || answeredAt < since) continue
    const row = table.findRow(id)
    if (row === -1) continue
    const createdAt = table.createdAt[row] ?? 0
    const due = isEarlier(row) ? null : work.toDueDay(createdAt)
    const isWithinGoal = due === null ? null : stockholmDay(answeredAt) <= due
    answers.push({ row, minutes: Math.max(0, (answeredAt - createdAt) / 60_000), isWithinGoal })
  }
  return answers
}

/** Selects the answers to leads of `rows`; `size` is the number of all rows. */
export function selectAnswers(answers: readonly FirstAnswer[], rows: Uint32Array, size: number) {
  if (answers.length === 0 || rows.length === size) return answers
  const wanted = new Set(rows)
  return answers.filter(({ row }) => wanted.has(row))
}
