import { z } from 'zod'
import { endpoint } from './endpoint'
import { leadRefSchema, leadStatusSchema, triageSchema } from './lead'
import { boundedDaySchema, hasLeadsOrMatching, leadsOrMatchingIssue, matchingSchema } from './list-query'

const MAX_TRIAGED_LEADS = 5_000

export const triageChangeSchema = z
  .strictObject({
    /** If `updatedAt` is given (null: never changed) and another user has changed the lead since, it is a conflict. */
    leads: z
      .array(leadRefSchema.extend({ updatedAt: z.iso.datetime().max(40).nullable().optional() }))
      .min(1)
      .max(MAX_TRIAGED_LEADS)
      .optional(),
    matching: matchingSchema.optional(),
    status: leadStatusSchema.optional(),
    /** The assignee is a user's id, `me` or `none`. */
    assignee: z.string().min(1).max(200).optional(),
    /** Null removes the reminder, as the statuses `handled` and `dismissed` do. */
    snoozeUntil: boundedDaySchema.nullable().optional(),
  })
  .refine(hasLeadsOrMatching, leadsOrMatchingIssue)
  .refine(({ status, assignee, snoozeUntil }) => [status, assignee, snoozeUntil].some((field) => field !== undefined), {
    path: ['status'],
    message: 'give status, assignee or snoozeUntil',
  })
export type TriageChange = z.infer<typeof triageChangeSchema>

const triageAnswerSchema = z.strictObject({
  changed: z.array(leadRefSchema.extend({ before: triageSchema, after: triageSchema })),
  conflicts: z.array(leadRefSchema.extend({ now: triageSchema })),
  /** Null means that nothing changed. */
  undo: z.string().nullable(),
})
export type TriageAnswer = z.infer<typeof triageAnswerSchema>

export const triageEndpoints = {
  'PATCH /api/triage': endpoint(
    'leads:triage',
    'Sets status, assignee or reminder of named or matching leads, except those in conflict. It can be undone.',
    { body: triageChangeSchema, answer: triageAnswerSchema, errors: { 404: 'all are gone or out of scope' } },
  ),
  'POST /api/triage/undo': endpoint(
    'leads:triage',
    'Undoes one’s own change of the last 24 hours, except for leads that have been changed since.',
    {
      body: z.strictObject({ undo: z.string().min(1).max(500) }),
      answer: z.strictObject({ restored: z.int(), conflicts: z.int() }),
      errors: { 409: 'too long ago' },
    },
  ),
}
