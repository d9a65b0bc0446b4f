import { z } from 'zod'
import type { SnapshotInfo } from './feed-status'
import { ATTEMPT_CHANNELS, ATTEMPT_OUTCOMES, LEAD_KINDS, LEAD_LISTS, LEAD_STATUSES } from './lists'

export const leadKindSchema = z.enum(LEAD_KINDS)
export type LeadKind = z.infer<typeof leadKindSchema>

export const leadListSchema = z.enum(LEAD_LISTS)
export type LeadList = z.infer<typeof leadListSchema>

export const leadStatusSchema = z.enum(LEAD_STATUSES)
export type LeadStatus = z.infer<typeof leadStatusSchema>

export type Triage = {
  status: LeadStatus
  assignee: { id: string; name: string } | null
  /** ISO 8601; null while nobody has touched the lead. */
  updatedAt: string | null
  /** Who decided last. Told of a contact's leads and of conflicts, where somebody has touched the lead; the lists leave it out. */
  updatedBy?: { id: string; name: string } | null
}

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
export type ProtectedMark = { isHidden: boolean; people: string[] }

export const attemptChannelSchema = z.enum(ATTEMPT_CHANNELS)
export type AttemptChannel = z.infer<typeof attemptChannelSchema>

export const attemptOutcomeSchema = z.enum(ATTEMPT_OUTCOMES)
export type AttemptOutcome = z.infer<typeof attemptOutcomeSchema>

/** One attempt, as everybody is told who may see the lead. */
export type Attempt = {
  /** ISO 8601. */
  at: string
  /** Null once the account is gone. */
  by: { id: string; name: string } | null
  channel: AttemptChannel
  outcome: AttemptOutcome
}

/** How far the staff have come with answering a lead. */
export type LeadWork = {
  /** How often somebody tried to reach the person, and how the last time; `alike` of the last were so, where more than one. */
  attempts: {
    count: number
    last: Attempt | null
    alike?: number
    /** The last mail by Intag that may have been sent, while nobody has said whether it was (`PATCH /api/replies`). */
    unsure?: { id: string; at: string }
  }
  /** Put aside until seven in the morning of this day (Europe/Stockholm); it stays when that day has come, until somebody decides. */
  snoozeUntil: string | null
  /** ISO 8601: since when the person waits. Null where nobody has to answer: answered, closed, put aside, or earlier than the work. */
  waitingSince: string | null
  /** The last day within the goal, while somebody waits and there is a goal. */
  due: string | null
  /** That day is over. */
  late: boolean
}

/**
 * What else the same person did, within the reader's reach: the other leads with the same e-mail or the same phone, and never
 * through others. At most three schools of each are named; the numbers count all.
 */
export type LeadPerson = {
  /** Of a question: what all of the declarations that have a name agree on. Null where there is none, or more than one. */
  name: string | null
  declared: { highSchoolId: string; year: number | null }[]
  /** The schools of the other questions. */
  asked: string[]
  questions: number
  /** How often the staff tried to reach the person about those leads. */
  attempts: number
  /** How many of them are new or in progress. */
  open: number
  leads: number
}

/**
 * What stands beside a lead on the desk; `person` is null where nothing else is by the same person, `protected` absent where it
 * is not.
 */
type DeskFields = LeadWork & {
  triage: Triage
  contactId: string
  person: LeadPerson | null
  protected?: ProtectedMark
}
export type AskedQuestionItem = AskedQuestion & DeskFields
export type DeclarationOfInterestItem = DeclarationOfInterest & DeskFields

/** `place` only where it was asked for: how many rows stand before that lead, null when it is not among them. */
type Page = { total: number; snapshot: SnapshotInfo; place?: number | null; etag?: string }
/** `GET /api/asked-questions`; `total` counts every match, not the page. */
export type AskedQuestionsPage = Page & { askedQuestions: AskedQuestionItem[] }
/** `GET /api/declarations-of-interest`. */
export type DeclarationsPage = Page & { declarationsOfInterest: DeclarationOfInterestItem[] }

/** `GET /api/high-schools`: only the person's schools. */
export type HighSchoolsAnswer = { highSchools: HighSchool[]; snapshot: SnapshotInfo }
