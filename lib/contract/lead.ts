import { z } from 'zod'
import { day, type Declared, moment, named } from './endpoint'
import { snapshotInfoSchema } from './feed-status'
import { ATTEMPT_CHANNELS, ATTEMPT_OUTCOMES, LEAD_KINDS, LEAD_LISTS, LEAD_STATUSES } from './lists'

export const leadKindSchema = z.enum(LEAD_KINDS)
export type LeadKind = z.infer<typeof leadKindSchema>

export const leadListSchema = z.enum(LEAD_LISTS)
export type LeadList = z.infer<typeof leadListSchema>

export const leadStatusSchema = z.enum(LEAD_STATUSES)
export type LeadStatus = z.infer<typeof leadStatusSchema>

export const triageSchema = z.strictObject({
  status: leadStatusSchema,
  assignee: named.nullable(),
  /** Null while nobody has touched the lead. */
  updatedAt: moment.nullable(),
  /** Who decided last. Told of a contact's leads and of conflicts, where somebody has touched the lead; the lists leave it out. */
  updatedBy: named.nullable().exactOptional(),
})
export type Triage = z.infer<typeof triageSchema>

/** Ids are unique within a kind only, so a lead is always named by both. */
export const leadRefSchema = z.object({ kind: leadKindSchema, id: z.string().min(1).max(500) })
export type LeadRef = z.infer<typeof leadRefSchema>

export const highSchoolSchema = z.object({ id: z.string(), name: z.string() })
export type HighSchool = z.infer<typeof highSchoolSchema>

/** The specification's object, except that contact details which the service left out are null here. */
export const askedQuestionSchema = z.object({
  id: z.string(),
  highSchoolId: z.string(),
  highSchoolName: z.string(),
  createdAt: z.string(),
  question: z.string(),
  /** `mode` is email or phone today; a new one must not hide the question. */
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

/**
 * The person's identity is protected (skyddade personuppgifter). `isHidden`: who they are and how to reach them is left out for
 * this reader, with year and question; `people` are the names of those who are shown it and see the school.
 */
const protectedMarkSchema = z.strictObject({ isHidden: z.boolean(), people: z.array(z.string()) })
export type ProtectedMark = z.infer<typeof protectedMarkSchema>

export const attemptChannelSchema = z.enum(ATTEMPT_CHANNELS)
export type AttemptChannel = z.infer<typeof attemptChannelSchema>

export const attemptOutcomeSchema = z.enum(ATTEMPT_OUTCOMES)
export type AttemptOutcome = z.infer<typeof attemptOutcomeSchema>

/** One attempt, as everybody is told who may see the lead. */
export const attemptSchema = z.strictObject({
  at: moment,
  /** Null once the account is gone. */
  by: named.nullable(),
  channel: attemptChannelSchema,
  outcome: attemptOutcomeSchema,
})
export type Attempt = z.infer<typeof attemptSchema>

/** How far the staff have come with answering a lead. */
const work = {
  /** How often somebody tried to reach the person, and how the last time; `alike` of the last were so, where more than one. */
  attempts: z.strictObject({
    count: z.int(),
    last: attemptSchema.nullable(),
    alike: z.int().exactOptional(),
    /** The last mail by Intag that may have been sent, while nobody has said whether it was (`PATCH /api/replies`). */
    unsure: z.strictObject({ id: z.string(), at: moment }).exactOptional(),
  }),
  /** Put aside until seven in the morning of this day (Europe/Stockholm); it stays when that day has come, until somebody decides. */
  snoozeUntil: day.nullable(),
  /** Since when the person waits. Null where nobody has to answer: answered, closed, put aside, or earlier than the work. */
  waitingSince: moment.nullable(),
  /** The last day within the goal, while somebody waits and there is a goal. */
  due: day.nullable(),
  /** That day is over. */
  late: z.boolean(),
}
export type LeadWork = z.infer<z.ZodObject<typeof work>>

/**
 * What else the same person did, within the reader's reach: the other leads with the same e-mail or the same phone, and never
 * through others. At most three schools of each are named; the numbers count all.
 */
const leadPersonSchema = z.strictObject({
  /** Of a question: what all of the declarations that have a name agree on. Null where there is none, or more than one. */
  name: z.string().nullable(),
  declared: z.array(z.strictObject({ highSchoolId: z.string(), year: z.int().nullable() })),
  /** The schools of the other questions. */
  asked: z.array(z.string()),
  questions: z.int(),
  /** How often the staff tried to reach the person about those leads. */
  attempts: z.int(),
  /** How many of them are new or in progress. */
  open: z.int(),
  leads: z.int(),
})
export type LeadPerson = z.infer<typeof leadPersonSchema>

/**
 * What stands beside a lead on the desk; `person` is null where nothing else is by the same person, `protected` absent where it
 * is not.
 */
const onDesk = {
  ...work,
  triage: triageSchema,
  contactId: z.string(),
  person: leadPersonSchema.nullable(),
  protected: protectedMarkSchema.exactOptional(),
}
export const askedQuestionItemSchema = askedQuestionSchema.extend(onDesk).strict()
export type AskedQuestionItem = z.infer<typeof askedQuestionItemSchema>
export const declarationOfInterestItemSchema = declarationOfInterestSchema.extend(onDesk).strict()
export type DeclarationOfInterestItem = z.infer<typeof declarationOfInterestItemSchema>

export const page = {
  /** Every match, not the page alone. */
  total: z.int(),
  snapshot: snapshotInfoSchema,
  /** Only where it was asked for: how many rows stand before that lead, null when it is not among them. */
  place: z.int().nullable().exactOptional(),
  etag: z.string().exactOptional(),
}
export const askedQuestionsPageSchema = z.strictObject({ askedQuestions: z.array(askedQuestionItemSchema), ...page })
export type AskedQuestionsPage = z.infer<typeof askedQuestionsPageSchema>
export const declarationsPageSchema = z.strictObject({
  declarationsOfInterest: z.array(declarationOfInterestItemSchema),
  ...page,
})
export type DeclarationsPage = z.infer<typeof declarationsPageSchema>

const highSchoolsAnswerSchema = z.strictObject({ highSchools: z.array(highSchoolSchema), snapshot: snapshotInfoSchema })
export type HighSchoolsAnswer = z.infer<typeof highSchoolsAnswerSchema>

export const highSchoolEndpoints = {
  'GET /api/high-schools': {
    what: 'The high schools within the caller’s reach, in Swedish alphabetical order.',
    who: 'interest:read',
    answer: highSchoolsAnswerSchema,
  },
  'GET /api/high-schools/[id]': {
    what: 'One high school within the caller’s reach.',
    who: 'interest:read',
    params: z.object({ id: z.string().max(500) }),
    answer: highSchoolSchema,
  },
} satisfies Declared
