import { z } from 'zod'
import { byId, type Declared } from './endpoint'
import { snapshotInfoSchema } from './feed-status'
import { askedQuestionItemSchema, declarationOfInterestItemSchema } from './lead'

/**
 * Why a lead belongs: it shares the e-mail or the phone the contact is named by (`anchor`), or one with another of these
 * leads. `sameName` is null where one of the two has no name; false with the same phone may be a brother or sister.
 */
const contactReasonSchema = z.strictObject({
  by: z.enum(['anchor', 'same-email', 'same-phone', 'same-email-and-phone', 'through-others']),
  sameName: z.boolean().nullable(),
})
export type ContactReason = z.infer<typeof contactReasonSchema>

const contactLeadSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('asked-question'), lead: askedQuestionItemSchema, reason: contactReasonSchema }),
  z.strictObject({
    kind: z.literal('declaration-of-interest'),
    lead: declarationOfInterestItemSchema,
    reason: contactReasonSchema,
  }),
])
export type ContactLead = z.infer<typeof contactLeadSchema>

const contactSchema = z.strictObject({
  id: z.string(),
  leads: z.array(contactLeadSchema),
  /** Exact, also when `leads` was cut at 500. */
  total: z.int(),
  snapshot: snapshotInfoSchema,
})
export type Contact = z.infer<typeof contactSchema>

export const contactEndpoints = {
  'GET /api/contacts/[id]': {
    what: 'Every lead of a person within the caller’s reach, newest first and never merged, and why each belongs.',
    who: 'leads:read',
    params: byId,
    answer: contactSchema,
  },
} satisfies Declared
