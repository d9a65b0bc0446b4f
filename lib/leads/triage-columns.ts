import type { AttemptChannel, AttemptOutcome, LeadStatus } from '@/lib/contract/lead'
import { isAnswer, LEAD_STATUSES } from '@/lib/contract/lists'
import type { LeadTable } from './lead-table'

export type AttemptEntry = {
  id: number
  attemptedAt: number
  userId: string | null
  channel: AttemptChannel
  outcome: AttemptOutcome
}

/** The staff decided and did this about one lead. Moments are in ms. */
export type TriageEntry = {
  status: LeadStatus
  assigneeId: string | null
  /** There may be only attempts. */
  updatedAt: number | null
  statusChangedAt?: number | null
  updatedById?: string | null
  /** This is a Stockholm day, `yyyy-MM-dd`. */
  snoozeUntil?: string | null
  attempts?: readonly AttemptEntry[]
  answeredAt?: number | null
}

export function findFirstAnswer(attempts: readonly AttemptEntry[]): AttemptEntry | null {
  return attempts.find(({ outcome }) => isAnswer(outcome)) ?? null
}

/** An untouched lead has no entry; it is new and unassigned. */
export type TriageById = ReadonlyMap<string, TriageEntry>

export type TriageColumns = {
  readonly status: Uint8Array
  /** This is an index into `assignees`, of which the first is nobody. */
  readonly assignee: Uint16Array
  readonly assignees: readonly string[]
  /** The flags are from `computeWorkFlags`; a lead may still be earlier than the work. */
  readonly flags: Uint8Array
}

export function buildTriageColumns(
  table: LeadTable,
  triage: TriageById,
  toFlags: (entry: TriageEntry | undefined) => number,
): TriageColumns {
  const flags = new Uint8Array(table.size).fill(toFlags(undefined))
  const status = new Uint8Array(table.size)
  const assignee = new Uint16Array(table.size)
  const assignees = ['none']
  const indexes = new Map<string | null, number>([[null, 0]])
  for (const [id, entry] of triage) {
    const row = table.findRow(id)
    if (row === -1) continue
    flags[row] = toFlags(entry)
    status[row] = LEAD_STATUSES.indexOf(entry.status)
    const index = indexes.get(entry.assigneeId) ?? assignees.push(entry.assigneeId ?? 'none') - 1
    indexes.set(entry.assigneeId, index)
    assignee[row] = index
  }
  return { status, assignee, assignees, flags }
}
