import { LEAD_STATUSES } from '@/lib/contract/lists'
import { getOrCreate } from '@/lib/get-or-create'
import type { LeadTable } from './lead-table'
import type { TriageById, TriageEntry } from './triage-entry'
import { isFollowUp, isOpen, isSnoozed, needsAnswer, type WorkRules } from './work-rules'

/** Bits say how the work rules judge a lead, so that counting is a loop over numbers. */
export const FLAGS = { OPEN: 1, NEW: 2, NEEDS_ANSWER: 4, SNOOZED: 8, FOLLOW_UP: 16 } as const

/** This index of `assignees` stands for nobody. */
export const UNASSIGNED = 0

export type TriageColumns = ReturnType<typeof buildTriageColumns>

export function buildTriageColumns(table: LeadTable, triage: TriageById, rules: WorkRules) {
  const flags = new Uint8Array(table.size).fill(computeFlags(undefined, rules))
  // A lead without an entry keeps the index 0, of `new`.
  const statusIndex = new Uint8Array(table.size)
  const assigneeIndex = new Uint16Array(table.size)
  const assignees = ['none']
  const indexByAssignee = new Map<string | null, number>([[null, UNASSIGNED]])
  for (const [id, entry] of triage) {
    const row = table.findRow(id)
    if (row === -1) continue
    flags[row] = computeFlags(entry, rules)
    statusIndex[row] = LEAD_STATUSES.indexOf(entry.status)
    const { assigneeId } = entry
    assigneeIndex[row] = getOrCreate(indexByAssignee, assigneeId, () => assignees.push(assigneeId ?? 'none') - 1)
  }
  return {
    /** Each row has an index of `LEAD_STATUSES`. */
    statusIndex,
    assigneeIndex,
    assignees,
    /** Each row has the sum of its `FLAGS`, whether or not the lead is from before the work began. */
    flags,
  }
}

function computeFlags(entry: TriageEntry | undefined, rules: WorkRules): number {
  return (
    (isOpen(entry) ? FLAGS.OPEN : 0) |
    ((entry?.status ?? 'new') === 'new' ? FLAGS.NEW : 0) |
    (needsAnswer(entry, rules) ? FLAGS.NEEDS_ANSWER : 0) |
    (isSnoozed(entry, rules) ? FLAGS.SNOOZED : 0) |
    (isFollowUp(entry, rules) ? FLAGS.FOLLOW_UP : 0)
  )
}
