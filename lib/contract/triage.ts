import { z } from 'zod'
import { leadRefSchema, leadStatusSchema, triageSchema } from './lead'
import { askedQuestionsFilterSchema, declarationsFilterSchema } from './list-query'

/** Every lead of a list that matches, as the list's own query parameters would select it. */
export const matchingSchema = z.discriminatedUnion('list', [
  askedQuestionsFilterSchema.extend({ list: z.literal('asked-questions') }),
  declarationsFilterSchema.extend({ list: z.literal('declarations-of-interest') }),
])
export type Matching = z.infer<typeof matchingSchema>

/** `PATCH /api/triage`: which leads, and what becomes of them. `assignee` is a user's id, `me` or `none`. */
export const triageChangeSchema = z
  .strictObject({
    leads: z.array(leadRefSchema).min(1).max(5_000).optional(),
    matching: matchingSchema.optional(),
    status: leadStatusSchema.optional(),
    assignee: z.string().min(1).max(200).optional(),
  })
  .refine((change) => (change.leads === undefined) !== (change.matching === undefined), {
    path: ['leads'],
    message: 'give either leads or matching',
  })
  .refine((change) => change.status !== undefined || change.assignee !== undefined, {
    path: ['status'],
    message: 'give status or assignee',
  })
export type TriageChange = z.infer<typeof triageChangeSchema>

/** What changed, with what stood there before, so that it can be undone. */
export const triageAnswerSchema = z.object({
  changed: z.array(leadRefSchema.extend({ before: triageSchema, after: triageSchema })),
})
export type TriageAnswer = z.infer<typeof triageAnswerSchema>
