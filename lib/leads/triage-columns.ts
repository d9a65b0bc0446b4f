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
  /** 1 where somebody has to answer, as far as the staff's decisions say: the lead may still be earlier than the work. */
  readonly asks: Uint8Array
}

export function triageColumns(
  table: LeadTable,
  triage: TriageOf,
  asksForAnswer: (entry: TriageEntry) => boolean,
): TriageColumns {
  const asks = new Uint8Array(table.size).fill(1)
  const status = new Uint8Array(table.size)
  const assignee = new Uint16Array(table.size)
  const assignees = ['none']
  const places = new Map<string | null, number>([[null, 0]])
  for (const [id, entry] of triage) {
    const row = table.rowOf(id)
    if (row === -1) continue
    asks[row] = asksForAnswer(entry) ? 1 : 0
    status[row] = LEAD_STATUSES.indexOf(entry.status)
    const place = places.get(entry.assigneeId) ?? assignees.push(entry.assigneeId ?? 'none') - 1
    places.set(entry.assigneeId, place)
    assignee[row] = place
  }
  return { status, assignee, assignees, asks }
}
