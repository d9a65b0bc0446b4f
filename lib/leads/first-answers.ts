import { MINUTE_MS } from '@/lib/time/durations'
import { toStockholmDay } from '@/lib/time/stockholm'
import type { LeadTable } from './lead-table'
import type { TriageById } from './triage-entry'
import { createBeforeWorkTest, type WorkRules } from './work-rules'

/** `isWithinGoal` is null for a lead without a goal. */
export type FirstAnswer = { row: number; minutes: number; isWithinGoal: boolean | null }

export function findAnswersSince(table: LeadTable, triage: TriageById, rules: WorkRules, sinceMs: number) {
  const isBeforeWork = createBeforeWorkTest(table, rules)
  const answers: FirstAnswer[] = []
  for (const [id, { answeredAt = null }] of triage) {
    if (answeredAt === null || answeredAt < sinceMs) continue
    const row = table.findRow(id)
    if (row === -1) continue
    const createdAt = table.createdAt[row] ?? 0
    const dueDay = isBeforeWork(row) ? null : rules.toDueDay(createdAt)
    const isWithinGoal = dueDay === null ? null : toStockholmDay(answeredAt) <= dueDay
    // A lead may be dated later than this server's clock.
    answers.push({ row, minutes: Math.max(0, (answeredAt - createdAt) / MINUTE_MS), isWithinGoal })
  }
  return answers
}

/** Selects the answers to the leads of `rows`, which are all leads if they are `tableSize`. */
export function selectAnswers(answers: readonly FirstAnswer[], rows: Uint32Array, tableSize: number) {
  if (answers.length === 0 || rows.length === tableSize) return answers
  const selectedRows = new Set(rows)
  return answers.filter(({ row }) => selectedRows.has(row))
}
