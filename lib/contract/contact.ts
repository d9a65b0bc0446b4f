import { z } from 'zod'
import { askedQuestionItemSchema, declarationOfInterestItemSchema } from './lead'
import { snapshotSchema } from './snapshot'

/**
 * Why a lead belongs: it shares the e-mail or the phone the contact is named by (`anchor`), or one with another of these
 * leads. `sameName` is null where one of the two has no name; false with the same phone may be a brother or sister.
 */
export const contactReasonSchema = z.object({
  by: z.enum(['anchor', 'same-email', 'same-phone', 'same-email-and-phone', 'through-others']),
  sameName: z.boolean().nullable(),
})
export type ContactReason = z.infer<typeof contactReasonSchema>

export const contactLeadSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('asked-question'), lead: askedQuestionItemSchema, reason: contactReasonSchema }),
  z.object({
    kind: z.literal('declaration-of-interest'),
    lead: declarationOfInterestItemSchema,
    reason: contactReasonSchema,
  }),
])
export type ContactLead = z.infer<typeof contactLeadSchema>

/** `GET /api/contacts/:id`: every lead of the person within reach, newest first, never merged. */
export const contactSchema = z.object({
  id: z.string(),
  leads: z.array(contactLeadSchema),
  /** Exact, also when `leads` was cut at 500. */
  total: z.int(),
  snapshot: snapshotSchema,
})
export type Contact = z.infer<typeof contactSchema>
