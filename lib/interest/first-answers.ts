import type { LeadTable } from '@/lib/leads/lead-table'
import type { TriageEntry, TriageOf } from '@/lib/leads/triage-columns'
import type { CountedRows } from './counted-leads'

export type TriageOfBoth = { declarations: TriageOf; questions: TriageOf }
export type AnsweredRows = Pick<CountedRows, 'table' | 'rows' | 'day'> & {
  /** Of each row of the table, in ms: its first answer; NaN while nobody has answered, and `NEVER` where nobody is to. */
  answeredAt: Float64Array
}
export type AnsweredLeads = Record<'declarations' | 'questions', AnsweredRows>

/** Of a lead that was put away as of no concern, unanswered. */
export const NEVER = Infinity

/** When each lead of a table was first answered. */
export function firstAnswers(table: LeadTable, triage: TriageOf): Float64Array {
  const answeredAt = new Float64Array(table.size).fill(Number.NaN)
  for (const [id, entry] of triage) {
    const at = firstAnswerOf(entry)
    if (Number.isNaN(at)) continue
    const row = table.rowOf(id)
    if (row !== -1) answeredAt[row] = at
  }
  return answeredAt
}

/** Whoever handled a lead without telling of an answer has answered it in their own way: then that is the moment. */
function firstAnswerOf({ status, updatedAt, statusAt, answeredAt }: TriageEntry): number {
  if (answeredAt != null) return answeredAt
  if (status === 'dismissed') return NEVER
  return status === 'handled' ? (statusAt ?? updatedAt ?? Number.NaN) : Number.NaN
}

/** Minutes from arrival to the first answer, NaN without one. A lead may bear a time that our clock has not reached yet. */
export function minutesWaited({ table, answeredAt }: AnsweredRows, row: number): number {
  const at = answeredAt[row] ?? Number.NaN
  return at === NEVER ? Number.NaN : Math.max(0, at - (table.createdAt[row] ?? Number.NaN)) / 60_000
}
