import { stockholmDay } from '@/lib/time/stockholm'
import type { LeadTable } from './lead-table'
import type { TriageOf } from './triage-columns'
import { earlierRows, type WorkRules } from './work-rules'

/** A first answer, with the row it was given to. */
export type FirstAnswer = { row: number; minutes: number; isWithinGoal: boolean | null }

/** Those that were given since a moment (ms). */
export function answersSince(table: LeadTable, triage: TriageOf, work: WorkRules, since: number): FirstAnswer[] {
  const isEarlier = earlierRows(table, work)
  const answers: FirstAnswer[] = []
  for (const [id, { answeredAt = null }] of triage) {
    if (answeredAt === null || answeredAt < since) continue
    const row = table.rowOf(id)
    if (row === -1) continue
    const createdAt = table.createdAt[row] ?? 0
    const due = isEarlier(row) ? null : work.dueOf(createdAt)
    answers.push({
      row,
      minutes: Math.max(0, (answeredAt - createdAt) / 60_000),
      isWithinGoal: due === null ? null : stockholmDay(answeredAt) <= due,
    })
  }
  return answers
}

/** Of so many answers those to these rows of a table of that size. */
export function answersAmong(answers: readonly FirstAnswer[], rows: Uint32Array, size: number): readonly FirstAnswer[] {
  if (answers.length === 0 || rows.length === size) return answers
  const counted = new Set(rows)
  return answers.filter(({ row }) => counted.has(row))
}
