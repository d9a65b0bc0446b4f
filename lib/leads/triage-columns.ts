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

/** What the staff decided and did about one lead. Moments are in ms since the epoch. */
export type TriageEntry = {
  status: LeadStatus
  assigneeId: string | null
  /** It is null where there are only attempts. */
  updatedAt: number | null
  statusChangedAt?: number | null
  updatedById?: string | null
  /** A Stockholm day, `yyyy-MM-dd`. */
  snoozeUntil?: string | null
  attempts?: readonly AttemptEntry[]
  answeredAt?: number | null
}

export function findFirstAnswer(attempts: readonly AttemptEntry[]): AttemptEntry | null {
  return attempts.find(({ outcome }) => isAnswer(outcome)) ?? null
}

/** The entries by lead id. An untouched lead has none, and is new and unassigned. */
export type TriageById = ReadonlyMap<string, TriageEntry>

export type TriageColumns = {
  readonly status: Uint8Array
  /** An index into `assignees`, whose first is nobody. */
  readonly assignee: Uint16Array
  readonly assignees: readonly string[]
  /** What `workFlags` says of a lead, which may still be earlier than the work. */
  readonly flags: Uint8Array
}

export function buildTriageColumns(
  table: LeadTable,
  triage: TriageById,
  flagsOf: (entry: TriageEntry | undefined) => number,
): TriageColumns {
  const flags = new Uint8Array(table.size).fill(flagsOf(undefined))
  const status = new Uint8Array(table.size)
  const assignee = new Uint16Array(table.size)
  const assignees = ['none']
  const places = new Map<string | null, number>([[null, 0]])
  for (const [id, entry] of triage) {
    const row = table.findRow(id)
    if (row === -1) continue
    flags[row] = flagsOf(entry)
    status[row] = LEAD_STATUSES.indexOf(entry.status)
    const place = places.get(entry.assigneeId) ?? assignees.push(entry.assigneeId ?? 'none') - 1
    places.set(entry.assigneeId, place)
    assignee[row] = place
  }
  return { status, assignee, assignees, flags }
}
