import { z } from 'zod'
import { day, type Declared, endpoint, moment, named } from './endpoint'
import { attemptSchema, leadRefSchema, leadStatusSchema, triageSchema } from './lead'
import { daySchema, matchingSchema } from './list-query'

/** With `updatedAt` (null: untouched) it is changed only if that is still its version. */
const targetSchema = leadRefSchema.extend({
  updatedAt: z.iso.datetime().max(40).nullable().optional(),
  assignee: z.string().min(1).max(200).optional(),
})
export const MAX_NAMED = 5_000

/** `assignee`: a user's id, `me` or `none`; a lead may have its own. */
export const triageChangeSchema = z
  .strictObject({
    leads: z.array(targetSchema).min(1).max(MAX_NAMED).optional(),
    matching: matchingSchema.optional(),
    status: leadStatusSchema.optional(),
    assignee: z.string().min(1).max(200).optional(),
    /** Null: no longer. Closing a lead removes it. */
    snoozeUntil: daySchema.nullable().optional(),
  })
  .refine((change) => (change.leads === undefined) !== (change.matching === undefined), {
    path: ['leads'],
    message: 'give either leads or matching',
  })
  .refine(
    ({ status, assignee, snoozeUntil, leads }) =>
      [status, assignee, snoozeUntil].some((part) => part !== undefined) ||
      leads?.every((lead) => lead.assignee !== undefined),
    { path: ['status'], message: 'give status, assignee or snoozeUntil' },
  )
export type TriageChange = z.infer<typeof triageChangeSchema>

const triageAnswerSchema = z.strictObject({
  changed: z.array(leadRefSchema.extend({ before: triageSchema, after: triageSchema })),
  conflicts: z.array(leadRefSchema.extend({ now: triageSchema })),
  undo: z.string().nullable(),
})
export type TriageAnswer = z.infer<typeof triageAnswerSchema>

const undoAnswerSchema = z.strictObject({ restored: z.int(), conflicts: z.int() })
export type UndoAnswer = z.infer<typeof undoAnswerSchema>

const recentChangeSchema = z.strictObject({
  undo: z.string(),
  at: moment,
  count: z.int(),
  undoable: z.int(),
  /** Absent: unchanged, here and below. */
  status: leadStatusSchema.exactOptional(),
  assignee: named.nullable().exactOptional(),
  snoozeUntil: day.nullable().exactOptional(),
  attempt: attemptSchema.pick({ channel: true, outcome: true }).exactOptional(),
  leads: z.array(leadRefSchema.extend({ name: z.string().nullable() })),
})
export type RecentChange = z.infer<typeof recentChangeSchema>

const recentChangesAnswerSchema = z.strictObject({ changes: z.array(recentChangeSchema) })

const numbersSchema = z.strictObject({ waiting: z.int(), late: z.int() })
const { shape: numbers } = numbersSchema
export type LoadNumbers = z.infer<typeof numbersSchema>

/** `from` is null where nobody has it. */
const moveSchema = leadRefSchema.extend({
  from: z.string().nullable(),
  assignee: z.string(),
  updatedAt: z.iso.datetime().nullable(),
})
export type LoadMove = z.infer<typeof moveSchema>

const loadSchema = z.strictObject({
  schools: z.array(named.extend(numbers)),
  people: z.array(named.extend({ ...numbers, awayUntil: day.exactOptional() })),
  unassigned: numbersSchema,
})
export type Load = z.infer<typeof loadSchema>

/** From which numbers to which is seen from one answer. */
const loadMovesSchema = loadSchema.extend({ moves: z.array(moveSchema) })
export type LoadMoves = z.infer<typeof loadMovesSchema>

export const triageEndpoints = {
  'GET /api/load': endpoint(
    'leads:triage',
    'What waits for an answer now, by school and by colleague, as far as the caller’s scope goes.',
    { answer: loadSchema },
  ),
  'GET /api/load/moves': endpoint(
    'leads:triage',
    'The fewest leads to reassign, by `PATCH /api/triage`, so that all colleagues have as many waiting; none that somebody has begun with or has open.',
    { answer: loadMovesSchema },
  ),
  'PATCH /api/triage': endpoint(
    'leads:triage',
    'Sets status, assignee or reminder of leads, named or matching, all or none; undoable.',
    {
      body: triageChangeSchema,
      answer: triageAnswerSchema,
      errors: { 404: 'all are gone or out of scope' },
    },
  ),
  'GET /api/triage/undo': endpoint('leads:triage', 'Own undoable changes of 24 hours, newest first.', {
    answer: recentChangesAnswerSchema,
  }),
  'POST /api/triage/undo': endpoint(
    'leads:triage',
    'Undoes an own change of 24 hours, where nobody has changed it since.',
    {
      body: z.strictObject({ undo: z.string().min(1).max(500) }),
      answer: undoAnswerSchema,
      errors: { 409: 'too long ago' },
    },
  ),
} satisfies Declared
