import type { AttemptChannel, AttemptOutcome, LeadStatus } from '@/lib/contract/lead'
import { isAnswer, LEAD_STATUSES } from '@/lib/contract/lists'
import type { LeadTable } from './lead-table'

/** That somebody tried to reach the person; `at` in milliseconds since the epoch. */
export type AttemptEntry = {
  id: number
  at: number
  userId: string | null
  channel: AttemptChannel
  outcome: AttemptOutcome
}

/** What the staff decided about one lead and did; moments in milliseconds since the epoch. */
export type TriageEntry = {
  status: LeadStatus
  assigneeId: string | null
  /** Null where nobody has decided anything: somebody has tried to reach the person. */
  updatedAt: number | null
  /** When the status became what it is, where that was asked for. */
  statusAt?: number | null
  /** Who decided last, where that was asked for. */
  updatedById?: string | null
  /** A Stockholm day, `yyyy-MM-dd`. */
  snoozeUntil?: string | null
  /** In the order in which they were made; absent for none. */
  attempts?: readonly AttemptEntry[]
  /** When the first of them was an answer; null or absent where none was. */
  answeredAt?: number | null
}

/** The first attempt that was an answer. */
export function firstAnswer(attempts: readonly AttemptEntry[]): AttemptEntry | null {
  return attempts.find(({ outcome }) => isAnswer(outcome)) ?? null
}

/** The triage of one kind of lead by lead id; a lead that nobody touched has no entry and is new, unassigned. */
export type TriageOf = ReadonlyMap<string, TriageEntry>

/** The triage of every row of a table as numbers, for those who look at all rows. */
export type TriageColumns = {
  /** Index into `LEAD_STATUSES`. */
  readonly status: Uint8Array
  /** Index into `assignees`; 0 stands for nobody. */
  readonly assignee: Uint16Array
  /** User ids; the first is `none`. */
  readonly assignees: readonly string[]
  /** What the decisions come to by the rules of the work, as `workFlags` has it: the lead may still be earlier than the work. */
  readonly flags: Uint8Array
}

export function triageColumns(
  table: LeadTable,
  triage: TriageOf,
  flagsOf: (entry: TriageEntry | undefined) => number,
): TriageColumns {
  const flags = new Uint8Array(table.size).fill(flagsOf(undefined))
  const status = new Uint8Array(table.size)
  const assignee = new Uint16Array(table.size)
  const assignees = ['none']
  const places = new Map<string | null, number>([[null, 0]])
  for (const [id, entry] of triage) {
    const row = table.rowOf(id)
    if (row === -1) continue
    flags[row] = flagsOf(entry)
    status[row] = LEAD_STATUSES.indexOf(entry.status)
    const place = places.get(entry.assigneeId) ?? assignees.push(entry.assigneeId ?? 'none') - 1
    places.set(entry.assigneeId, place)
    assignee[row] = place
  }
  return { status, assignee, assignees, flags }
}
