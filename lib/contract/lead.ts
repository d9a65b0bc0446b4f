import { z } from 'zod'
import { endpoint, isoDaySchema, momentSchema, namedRefSchema } from './endpoint'
import { snapshotInfoSchema } from './feed-status'
import { ATTEMPT_OUTCOMES, LEAD_KINDS, LEAD_LISTS, LEAD_STATUSES } from './lists'

export const leadKindSchema = z.enum(LEAD_KINDS)
export type LeadKind = z.infer<typeof leadKindSchema>
export const leadListSchema = z.enum(LEAD_LISTS)
export type LeadList = z.infer<typeof leadListSchema>
export const leadStatusSchema = z.enum(LEAD_STATUSES)
export type LeadStatus = z.infer<typeof leadStatusSchema>

export const triageSchema = z.strictObject({
  status: leadStatusSchema,
  assignee: namedRefSchema.nullable(),
  updatedAt: momentSchema.nullable(),
  /** Only a contact's leads and conflicts say who changed them. */
  updatedBy: namedRefSchema.nullable().exactOptional(),
})
export type Triage = z.infer<typeof triageSchema>

/** An id is unique within its kind only. */
export const leadRefSchema = z.object({ kind: leadKindSchema, id: z.string().min(1).max(500) })
export type LeadRef = z.infer<typeof leadRefSchema>

export const highSchoolSchema = z.object({ id: z.string(), name: z.string() })
export type HighSchool = z.infer<typeof highSchoolSchema>

/** Leads are as in the specification, except that missing contact details are null. */
export const askedQuestionSchema = z.object({
  id: z.string(),
  highSchoolId: z.string(),
  highSchoolName: z.string(),
  createdAt: z.string(),
  question: z.string(),
  /** The mode is any string, because a new mode must not hide the question. */
  sender: z.object({ mode: z.string(), phone: z.string().nullable(), email: z.string().nullable() }),
})
export type AskedQuestion = z.infer<typeof askedQuestionSchema>

export const declarationOfInterestSchema = z.object({
  id: z.string(),
  highSchoolId: z.string(),
  createdAt: z.string(),
  user: z.object({
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    highSchoolEnrollmentYear: z.int().nullable(),
  }),
})
export type DeclarationOfInterest = z.infer<typeof declarationOfInterestSchema>

export type Lead = AskedQuestion | DeclarationOfInterest

export const attemptChannelSchema = z.enum(['email', 'phone', 'other'])
export type AttemptChannel = z.infer<typeof attemptChannelSchema>
export const attemptOutcomeSchema = z.enum(ATTEMPT_OUTCOMES)
export type AttemptOutcome = z.infer<typeof attemptOutcomeSchema>

export const attemptSchema = z.strictObject({
  at: momentSchema,
  by: namedRefSchema.nullable(),
  channel: attemptChannelSchema,
  outcome: attemptOutcomeSchema,
})
export type Attempt = z.infer<typeof attemptSchema>

const workFields = {
  /** `alike` counts the latest attempts in a row with the same outcome, if they are more than one. */
  attempts: z.strictObject({ count: z.int(), last: attemptSchema.nullable(), alike: z.int().exactOptional() }),
  /** A lead is snoozed until seven in the morning of this day, which stays until the next decision. */
  snoozeUntil: isoDaySchema.nullable(),
  /** Null means that the lead needs no answer: it has one, is closed or snoozed, or is from before the work. */
  waitingSince: momentSchema.nullable(),
  /** While an answer is needed, this is the last day within the goal. */
  due: isoDaySchema.nullable(),
  late: z.boolean(),
}
export type LeadWork = z.infer<z.ZodObject<typeof workFields>>

const relatedLeadFields = {
  declared: z.array(z.strictObject({ highSchoolId: z.string(), year: z.int().nullable() })),
  asked: z.array(z.string()),
  leads: z.int(),
}

/** Describes the other leads in scope with the lead's own e-mail or phone. At most three schools or names are given. */
const leadPersonSchema = z.strictObject({
  /** A question has the name that all declarations agree on, if any. */
  name: z.string().nullable(),
  /** A question's sender is greeted by the first name that all declarations from its e-mail agree on. */
  firstName: z.string().exactOptional(),
  ...relatedLeadFields,
  questions: z.int(),
  attempts: z.int(),
  open: z.int(),
  /** Where other names have the same e-mail or phone, these leads are the person's own. */
  shared: z
    .strictObject({
      ...relatedLeadFields,
      others: z.array(z.strictObject({ name: z.string(), by: z.enum(['email', 'phone']), isSibling: z.boolean() })),
    })
    .exactOptional(),
})
export type LeadPerson = z.infer<typeof leadPersonSchema>

const itemFields = {
  ...workFields,
  /** Intag first had the lead at this moment, which decides what is new. */
  seenAt: momentSchema,
  triage: triageSchema,
  contactId: z.string(),
  person: leadPersonSchema.nullable(),
  /** Only the users `people` see this identity (skyddade personuppgifter); `isHidden` says that the reader does not. */
  protected: z.strictObject({ isHidden: z.boolean(), people: z.array(z.string()) }).exactOptional(),
}
export const askedQuestionItemSchema = askedQuestionSchema.extend(itemFields).strict()
export type AskedQuestionItem = z.infer<typeof askedQuestionItemSchema>
export type ProtectedMark = NonNullable<AskedQuestionItem['protected']>
export const declarationOfInterestItemSchema = declarationOfInterestSchema.extend(itemFields).strict()
export type DeclarationOfInterestItem = z.infer<typeof declarationOfInterestItemSchema>

/** `anchor` is the contact's own e-mail or phone. `sameName` is null without two names. */
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
  total: z.int(),
  snapshot: snapshotInfoSchema,
})
export type Contact = z.infer<typeof contactSchema>

export const leadEndpoints = {
  'GET /api/high-schools': endpoint('interest:read', 'The schools in scope, in Swedish order.', {
    answer: z.strictObject({ highSchools: z.array(highSchoolSchema), snapshot: snapshotInfoSchema }),
  }),
  'GET /api/high-schools/[id]': endpoint('interest:read', 'One school in scope.', {
    params: z.object({ id: z.string().max(500) }),
    answer: highSchoolSchema,
  }),
  'GET /api/contacts/[id]': endpoint('leads:read', 'A person’s leads in scope, newest first, and why each belongs.', {
    answer: contactSchema,
  }),
}
