import type { DueDays } from '@/lib/contract/day'
import { endOfStockholmDay } from '@/lib/time/stockholm'
import type { LeadTable } from './lead-table'
import { FLAGS, type TriageColumns, UNASSIGNED } from './triage-columns'
import { createBeforeWorkTest, type WorkRules } from './work-rules'

export type WorkCounts = ReturnType<typeof countWork>

/** Counts the work among rows by queue. `untouchedCount` counts new leads, neither snoozed nor earlier than the work. */
export function countWork(
  table: LeadTable,
  rows: Uint32Array,
  { flags, assigneeIndex, assignees }: TriageColumns,
  rules: WorkRules,
  dueDays: DueDays | null = null,
) {
  const { createdAt, schoolIndex, schoolIds } = table
  const isBeforeWork = createBeforeWorkTest(table, rules)
  const dueUntil = dueDays === null ? -Infinity : endOfStockholmDay(dueDays.to)
  const openCounts = new Uint32Array(assignees.length)
  const waitingBySchool = new Uint32Array(schoolIds.length)
  const lateBySchool = new Uint32Array(schoolIds.length)
  const queueCounts = { late: 0, dueToday: 0, waiting: 0, followUps: 0, snoozed: 0, unassigned: 0 }
  let untouchedCount = 0
  for (const row of rows) {
    const rowFlags = flags[row] ?? 0
    if (rowFlags & FLAGS.FOLLOW_UP) queueCounts.followUps++
    if (rowFlags & FLAGS.SNOOZED) queueCounts.snoozed++
    if ((rowFlags & FLAGS.OPEN) === 0 || isBeforeWork(row)) continue
    const assignee = assigneeIndex[row] ?? UNASSIGNED
    if ((rowFlags & FLAGS.SNOOZED) === 0) {
      if (rowFlags & FLAGS.NEW) untouchedCount++
      openCounts[assignee] = (openCounts[assignee] ?? 0) + 1
    }
    if ((rowFlags & FLAGS.NEEDS_ANSWER) === 0) continue
    queueCounts.waiting++
    const school = schoolIndex[row] ?? 0
    waitingBySchool[school] = (waitingBySchool[school] ?? 0) + 1
    if (assignee === UNASSIGNED) queueCounts.unassigned++
    const arrivedAt = createdAt[row] ?? 0
    if (arrivedAt < rules.lateBefore) {
      queueCounts.late++
      lateBySchool[school] = (lateBySchool[school] ?? 0) + 1
    } else if (arrivedAt <= dueUntil) queueCounts.dueToday++
  }
  const openByAssignee = new Map(assignees.map((id, index) => [id, openCounts[index] ?? 0]))
  const leadCount = rows.length
  return { queueCounts, untouchedCount, leadCount, waitingBySchool, lateBySchool, openByAssignee }
}
