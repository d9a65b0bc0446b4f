import { z } from 'zod'
import { endpoint, momentSchema, namedRefSchema } from './endpoint'
import {
  askedQuestionSchema,
  attemptSchema,
  declarationOfInterestSchema,
  leadRefSchema,
  leadStatusSchema,
} from './lead'
import { roleSchema } from './user'

const texts = z.array(z.string())
const nullableText = z.string().nullable()
/** Null stands for a user whose account is gone. */
const staffSchema = z.strictObject({ role: roleSchema, schools: texts }).nullable()
export type StaffMember = z.infer<typeof staffSchema>
const authorFields = { at: momentSchema, by: staffSchema }

/** Has all that Intag stores about a lead. Staff are described by role and school, not by name. */
const storedLeadSchema = leadRefSchema.extend({
  fromService: z.union([askedQuestionSchema, declarationOfInterestSchema]),
  school: z.string(),
  triage: z
    .strictObject({ ...authorFields, status: leadStatusSchema, assignee: staffSchema, snoozeUntil: nullableText })
    .nullable(),
  attempts: z.array(attemptSchema.extend({ by: staffSchema })),
  notes: z.array(z.strictObject({ ...authorFields, text: z.string() })),
  exports: z.array(
    z.strictObject({ ...authorFields, format: z.string(), columns: texts, purpose: z.string(), state: z.string() }),
  ),
  log: z.array(z.strictObject({ ...authorFields, action: z.string(), from: nullableText, to: nullableText })),
})
export type StoredLead = z.infer<typeof storedLeadSchema>

/** A mention is a text of the staff that names the person. */
const personMentionSchema = z.strictObject({
  /** Views and own templates are deleted with an erasure or a protection; purposes and notes on other leads stay. */
  kind: z.enum(['view', 'template', 'purpose', 'note']),
  text: z.string(),
  at: momentSchema,
  /** A note can be deleted on the page of this contact. */
  contactId: nullableText,
  leads: z.array(leadRefSchema),
})
export type PersonMention = z.infer<typeof personMentionSchema>

const contactRightsSchema = z.strictObject({
  /** A lead `isOther`, perhaps a sibling's, if its name is not that of the contact's newest lead. */
  leads: z.array(storedLeadSchema.extend({ isOther: z.boolean() })),
  emails: texts,
  phones: texts,
  isWhole: z.boolean(),
  protection: z.strictObject({ id: z.string(), emails: texts, phones: texts, people: texts }).nullable(),
  /** Only the newest two hundred mentions are listed. */
  mentions: z.array(personMentionSchema),
})
export type ContactRights = z.infer<typeof contactRightsSchema>

const leadRefsSchema = z.array(leadRefSchema).min(1).max(500)
const userIdsSchema = z.array(z.string().min(1).max(200)).min(1).max(100)
const addressesSchema = z.array(z.string().min(1).max(500)).max(100)

/** `shown` is null for users whom the protection does not name. */
const protectionEntrySchema = z.strictObject({
  id: z.string(),
  since: momentSchema,
  by: namedRefSchema.nullable(),
  people: z.array(namedRefSchema),
  leads: z.int().nullable(),
  schools: texts,
  shown: z.strictObject({ reason: z.string(), contactId: nullableText }).nullable(),
})
export type ProtectionEntry = z.infer<typeof protectionEntrySchema>

export const rightsEndpoints = {
  'GET /api/contacts/[id]/rights': endpoint('admin', 'What Intag keeps about a person, and the protection.', {
    answer: contactRightsSchema,
  }),
  'POST /api/contacts/[id]/extract': endpoint('admin', 'All that is kept about these leads, for the person.', {
    body: z.strictObject({ leads: leadRefsSchema }),
    answer: z.strictObject({
      madeAt: momentSchema,
      isWhole: z.boolean(),
      leads: z.array(storedLeadSchema),
      /** Views and own templates are here by the person's e-mail or phone only, because others may have the name. */
      mentions: z.array(personMentionSchema.pick({ kind: true, text: true, at: true })),
      protection: z
        .strictObject({ emails: texts, phones: texts, reason: z.string(), people: z.array(staffSchema) })
        .nullable(),
    }),
  }),
  'POST /api/contacts/[id]/erasure': endpoint('admin', 'Deletes what Intag added to these leads.', {
    proof: true,
    body: z.strictObject({ leads: leadRefsSchema, confirm: z.literal('erase') }),
  }),
  'GET /api/protections': endpoint('admin', 'Protected identities.', {
    answer: z.strictObject({ protections: z.array(protectionEntrySchema) }),
  }),
  'POST /api/protections': endpoint('admin', 'Shows a contact’s identity to named users only.', {
    proof: true,
    /** Only `people` see the identity. Each e-mail and phone is one of the contact's. */
    body: z.strictObject({
      contact: z.string().min(1).max(100),
      emails: addressesSchema,
      phones: addressesSchema,
      people: userIdsSchema,
      reason: z.string().trim().min(1).max(500),
    }),
    answer: z.strictObject({ id: z.string() }),
    errors: { 409: 'protected already, or too many leads share the address' },
  }),
  'PATCH /api/protections/[id]': endpoint('admin', 'Names other users.', {
    proof: true,
    body: z.strictObject({ people: userIdsSchema }),
  }),
  'DELETE /api/protections/[id]': endpoint('admin', 'Lifts a protection.', {
    proof: true,
    errors: { 403: 'the caller is not named' },
  }),
}
