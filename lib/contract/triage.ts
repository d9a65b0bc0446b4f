import { z } from 'zod'
import { endpoint } from './endpoint'
import { leadRefSchema, leadStatusSchema, triageSchema } from './lead'
import { boundedDaySchema, hasLeadsOrMatching, leadsOrMatchingIssue, matchingSchema } from './list-query'

export const MAX_TRIAGED_LEADS = 5_000

/** `assignee` is a user's id, `me` or `none`. */
export const triageChangeSchema = z
  .strictObject({
    /** With `updatedAt` (null: untouched) a lead that another user has changed since that version is a conflict. */
    leads: z
      .array(leadRefSchema.extend({ updatedAt: z.iso.datetime().max(40).nullable().optional() }))
      .min(1)
      .max(MAX_TRIAGED_LEADS)
      .optional(),
    matching: matchingSchema.optional(),
    status: leadStatusSchema.optional(),
    assignee: z.string().min(1).max(200).optional(),
    /** Null removes the reminder, as closing the lead does. */
    snoozeUntil: boundedDaySchema.nullable().optional(),
  })
  .refine(hasLeadsOrMatching, leadsOrMatchingIssue)
  .refine(({ status, assignee, snoozeUntil }) => [status, assignee, snoozeUntil].some((part) => part !== undefined), {
    path: ['status'],
    message: 'give status, assignee or snoozeUntil',
  })
export type TriageChange = z.infer<typeof triageChangeSchema>

const triageAnswerSchema = z.strictObject({
  changed: z.array(leadRefSchema.extend({ before: triageSchema, after: triageSchema })),
  conflicts: z.array(leadRefSchema.extend({ now: triageSchema })),
  undo: z.string().nullable(),
})
export type TriageAnswer = z.infer<typeof triageAnswerSchema>

export const triageEndpoints = {
  'PATCH /api/triage': endpoint(
    'leads:triage',
    'Sets status, assignee or reminder of leads, named or matching, all or none; undoable.',
    { body: triageChangeSchema, answer: triageAnswerSchema, errors: { 404: 'all are gone or out of scope' } },
  ),
  'POST /api/triage/undo': endpoint('leads:triage', 'Undoes an own change of 24 hours where nobody changed it since.', {
    body: z.strictObject({ undo: z.string().min(1).max(500) }),
    answer: z.strictObject({ restored: z.int(), conflicts: z.int() }),
    errors: { 409: 'too long ago' },
  }),
}
