import { z } from 'zod'
import { type Attempt, type LeadRef, leadRefSchema, type LeadStatus, leadStatusSchema, type Triage } from './lead'
import { daySchema, matchingSchema } from './list-query'

/** With `updatedAt` (null: never touched) the lead is changed only if its triage still is of that moment. */
const targetSchema = leadRefSchema.extend({ updatedAt: z.iso.datetime().max(40).nullable().optional() })

/** `PATCH /api/triage`: which leads, and what becomes of them. `assignee` is a user's id, `me` or `none`. */
export const triageChangeSchema = z
  .strictObject({
    leads: z.array(targetSchema).min(1).max(5_000).optional(),
    matching: matchingSchema.optional(),
    status: leadStatusSchema.optional(),
    assignee: z.string().min(1).max(200).optional(),
    /** Put aside until this day; null: not any more. What is handled or dismissed is put aside no longer. */
    snoozeUntil: daySchema.nullable().optional(),
  })
  .refine((change) => (change.leads === undefined) !== (change.matching === undefined), {
    path: ['leads'],
    message: 'give either leads or matching',
  })
  .refine(({ status, assignee, snoozeUntil }) => [status, assignee, snoozeUntil].some((one) => one !== undefined), {
    path: ['status'],
    message: 'give status, assignee or snoozeUntil',
  })
export type TriageChange = z.infer<typeof triageChangeSchema>

/** What changed, with what stood there before, so that it can be undone. */
export type TriageAnswer = {
  changed: (LeadRef & { before: Triage; after: Triage })[]
  /** Not changed, because somebody else was faster; as they are now, and by whom. */
  conflicts: (LeadRef & { now: Triage })[]
  /** Names this change for `POST /api/triage/undo`; null when nothing changed. */
  undo: string | null
}

/** With `Accept: application/x-ndjson`, one a line: how far it has come, and last what it came to, or why it failed. */
export const triageProgressSchema = z.union([
  z.object({ done: z.int(), total: z.int() }),
  z.object({ changed: z.int(), conflicts: z.int(), undo: z.string().nullable() }),
  z.object({ error: z.string() }),
])
export type TriageProgress = z.infer<typeof triageProgressSchema>

/** `POST /api/triage/undo`, by the same person within 24 hours: what nobody has changed since is put back. */
export const undoSchema = z.strictObject({ undo: z.string().min(1).max(500) })
export type UndoAnswer = { restored: number; conflicts: number }

/** `GET /api/triage/undo`: one's own changes of the last 24 hours that can still be taken back, newest first. */
export type RecentChangesAnswer = { changes: RecentChange[] }
export type RecentChange = {
  /** For `POST /api/triage/undo`. */
  undo: string
  /** ISO 8601. */
  at: string
  /** The leads that it changed, and how many of them nobody has changed since. */
  count: number
  undoable: number
  /** Absent where it stayed as it was. */
  status?: LeadStatus
  /** Absent where it stayed as it was; null: nobody. */
  assignee?: { id: string; name: string } | null
  /** Absent where it stayed as it was. */
  snoozeUntil?: string | null
  /** Absent where nobody tried to reach the person; it is taken back with the rest. */
  attempt?: Pick<Attempt, 'channel' | 'outcome'>
  /** The first few of them that are within reach, with what the person is called. */
  leads: (LeadRef & { name: string | null })[]
}
