import { z } from 'zod'

export const leadKindSchema = z.enum(['asked-question', 'declaration-of-interest'])
export type LeadKind = z.infer<typeof leadKindSchema>

export const leadListSchema = z.enum(['asked-questions', 'declarations-of-interest'])
export type LeadList = z.infer<typeof leadListSchema>

export const leadStatusSchema = z.enum(['new', 'in-progress', 'handled', 'dismissed'])
export type LeadStatus = z.infer<typeof leadStatusSchema>

export const triageSchema = z.object({
  status: leadStatusSchema,
  assignee: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** ISO 8601; null while nobody has touched the lead. */
  updatedAt: z.string().nullable(),
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

const deskFields = { triage: triageSchema, contactId: z.string() }
export const askedQuestionItemSchema = askedQuestionSchema.extend(deskFields)
export type AskedQuestionItem = z.infer<typeof askedQuestionItemSchema>
export const declarationOfInterestItemSchema = declarationOfInterestSchema.extend(deskFields)
export type DeclarationOfInterestItem = z.infer<typeof declarationOfInterestItemSchema>
