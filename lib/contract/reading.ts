import { z } from 'zod'
import { activityItemSchema } from './activity'
import { day, type Declared, moment, named } from './endpoint'
import { exportStateSchema } from './export'
import { leadKindSchema, leadRefSchema } from './lead'

/** What is more than usual within an hour. */
export const readingLimitsSchema = z.strictObject({
  /** Leads shown in lists, searches and files, each once. */
  listed: z.int().min(50).max(1_000_000),
  /** Leads opened. */
  opened: z.int().min(10).max(100_000),
})
export type ReadingLimits = z.infer<typeof readingLimitsSchema>

export const usualLimits: ReadingLimits = { listed: 1_500, opened: 200 }

/** How much somebody read within one hour of the clock, without what. */
const readingHourSchema = z.strictObject({
  hour: moment,
  listed: z.int(),
  opened: z.int(),
  searches: z.int(),
  /** When it became more than usual; null where it did not. */
  unusualAt: moment.nullable(),
  /** What the person said why. Null: nothing yet. */
  reason: z.string().nullable(),
})
export type ReadingHour = z.infer<typeof readingHourSchema>

const personsHourSchema = readingHourSchema.extend({ user: named })
export type PersonsHour = z.infer<typeof personsHourSchema>

const readingQuestionSchema = z.strictObject({ hours: z.array(readingHourSchema) })
export type ReadingQuestion = z.infer<typeof readingQuestionSchema>

/** Why, or that one answers later. */
export const readingAnswerSchema = z.union([
  z.strictObject({ reason: z.string().trim().min(3).max(500) }),
  z.strictObject({ later: z.literal(true) }),
])
export type ReadingAnswer = z.infer<typeof readingAnswerSchema>

const format = z.enum(['json', 'csv']).default('json')

/** A contact, or the person of one lead. */
export const leadFollowUpQuerySchema = z.strictObject({
  contact: z.string().max(100).optional(),
  kind: leadKindSchema.optional(),
  id: z.string().max(500).optional(),
  format,
})
export type LeadFollowUpQuery = z.infer<typeof leadFollowUpQuerySchema>

/** An export that held leads of the person. */
const followedExportSchema = z.strictObject({
  id: z.string(),
  at: moment,
  user: named.nullable(),
  format: z.string(),
  /** How many leads it held in all. */
  count: z.int(),
  state: exportStateSchema,
  purpose: z.string(),
  leads: z.array(leadRefSchema),
})
export type FollowedExport = z.infer<typeof followedExportSchema>

/** Each list newest first. */
const leadFollowUpSchema = z.strictObject({
  leads: z.array(leadRefSchema),
  /** The person's identity is protected from who asks: it is only about the lead that was named. */
  isProtected: z.boolean(),
  entries: z.array(activityItemSchema),
  /** There are older entries than these. */
  isCut: z.boolean(),
  exports: z.array(followedExportSchema),
  /** Hours of somebody who could see the leads and was shown more than usual: the person may have been among them. */
  hours: z.array(personsHourSchema),
})
export type LeadFollowUp = z.infer<typeof leadFollowUpSchema>

/** Days of Stockholm, both included, at most 92. */
export const readerFollowUpQuerySchema = z.strictObject({ user: z.string().max(200), from: day, to: day, format })
export type ReaderFollowUpQuery = z.infer<typeof readerFollowUpQuerySchema>

/** Each list newest first. */
const readerFollowUpSchema = z.strictObject({
  hours: z.array(readingHourSchema),
  opened: z.array(activityItemSchema),
  isCut: z.boolean(),
  exports: z.array(followedExportSchema),
})
export type ReaderFollowUp = z.infer<typeof readerFollowUpSchema>

export const readingEndpoints = {
  'GET /api/reading/unusual': {
    what: 'Who read more than usual in the last seven days, newest first.',
    who: 'admin',
    answer: z.strictObject({ hours: z.array(personsHourSchema) }),
  },
  'GET /api/reading/question': {
    what: 'The hours of much reading that the person has not explained.',
    who: 'signed-in',
    answer: readingQuestionSchema,
  },
  'POST /api/reading/question': {
    what: 'Explains these hours, or puts the question off.',
    who: 'signed-in',
    body: readingAnswerSchema,
    answer: z.strictObject({ explained: z.int() }),
  },
  'GET /api/reading/limits': {
    what: 'How much reading in an hour is more than usual.',
    who: 'admin',
    answer: readingLimitsSchema,
  },
  'PUT /api/reading/limits': {
    what: 'Sets how much that is.',
    who: 'admin',
    proof: true,
    body: readingLimitsSchema,
    answer: readingLimitsSchema,
  },
  'GET /api/log-follow-up/leads': {
    what: 'Who has looked at a person’s leads, when and why; asking is logged, too.',
    who: 'admin',
    query: leadFollowUpQuerySchema,
    answer: leadFollowUpSchema,
    content: ['text/csv'],
  },
  'GET /api/log-follow-up/people': {
    what: 'What one of the staff looked at within some days; asking is logged, too.',
    who: 'admin',
    query: readerFollowUpQuerySchema,
    answer: readerFollowUpSchema,
    content: ['text/csv'],
  },
} satisfies Declared
