import { z } from 'zod'
import { day, type Declared, moment, named } from './endpoint'
import { attemptSchema, leadRefSchema, leadStatusSchema, triageSchema } from './lead'
import { daySchema, matchingSchema } from './list-query'

/** With `updatedAt` (null: never touched) the lead is changed only if its triage still is of that moment. */
const targetSchema = leadRefSchema.extend({ updatedAt: z.iso.datetime().max(40).nullable().optional() })

/** Which leads, and what becomes of them. `assignee` is a user's id, `me` or `none`. */
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
const triageAnswerSchema = z.strictObject({
  changed: z.array(leadRefSchema.extend({ before: triageSchema, after: triageSchema })),
  /** Not changed, because somebody else was faster; as they are now, and by whom. */
  conflicts: z.array(leadRefSchema.extend({ now: triageSchema })),
  /** Names this change for `POST /api/triage/undo`; null when nothing changed. */
  undo: z.string().nullable(),
})
export type TriageAnswer = z.infer<typeof triageAnswerSchema>

/** With `Accept: application/x-ndjson`, one a line: how far it has come, and last what it came to, or why it failed. */
export const triageProgressSchema = z.union([
  z.object({ done: z.int(), total: z.int() }),
  z.object({ changed: z.int(), conflicts: z.int(), undo: z.string().nullable() }),
  z.object({ error: z.string() }),
])
export type TriageProgress = z.infer<typeof triageProgressSchema>

const undoAnswerSchema = z.strictObject({ restored: z.int(), conflicts: z.int() })
export type UndoAnswer = z.infer<typeof undoAnswerSchema>

const recentChangeSchema = z.strictObject({
  /** For `POST /api/triage/undo`. */
  undo: z.string(),
  at: moment,
  /** The leads that it changed, and how many of them nobody has changed since. */
  count: z.int(),
  undoable: z.int(),
  /** Absent where it stayed as it was. */
  status: leadStatusSchema.exactOptional(),
  /** Absent where it stayed as it was; null: nobody. */
  assignee: named.nullable().exactOptional(),
  /** Absent where it stayed as it was. */
  snoozeUntil: day.nullable().exactOptional(),
  /** Absent where nobody tried to reach the person; it is taken back with the rest. */
  attempt: attemptSchema.pick({ channel: true, outcome: true }).exactOptional(),
  /** The first few of them that are within reach, with what the person is called. */
  leads: z.array(leadRefSchema.extend({ name: z.string().nullable() })),
})
export type RecentChange = z.infer<typeof recentChangeSchema>

const recentChangesAnswerSchema = z.strictObject({ changes: z.array(recentChangeSchema) })
export type RecentChangesAnswer = z.infer<typeof recentChangesAnswerSchema>

export const triageEndpoints = {
  'PATCH /api/triage': {
    what: 'Sets status, assignee or follow-up day of leads, named or all that match; undoable. With `Accept: application/x-ndjson` a line after each part, the result last.',
    who: 'leads:triage',
    body: triageChangeSchema,
    answer: triageAnswerSchema,
    content: ['application/x-ndjson'],
    errors: { 404: 'all of the named leads are gone or out of reach' },
  },
  'GET /api/triage/undo': {
    what: 'The caller’s own changes of the last 24 hours that can still be taken back, newest first.',
    who: 'leads:triage',
    answer: recentChangesAnswerSchema,
  },
  'POST /api/triage/undo': {
    what: 'Takes back a change of the caller’s within 24 hours: what nobody has changed since is put back.',
    who: 'leads:triage',
    body: z.strictObject({ undo: z.string().min(1).max(500) }),
    answer: undoAnswerSchema,
    errors: { 409: 'it was too long ago' },
  },
} satisfies Declared
