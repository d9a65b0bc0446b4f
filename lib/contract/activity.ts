import { z } from 'zod'
import { day, type Declared, endpoint, moment, named } from './endpoint'
import { exportStateSchema } from './export'
import { leadKindSchema, leadRefSchema } from './lead'

export const activityQuerySchema = z.strictObject({
  user: z.string().max(200).optional(),
  kind: leadKindSchema.optional(),
  id: z.string().max(500).optional(),
  action: z.string().max(60).optional(),
  before: z.int().optional(),
  limit: z.int().min(1).max(200).default(100),
})
export type ActivityQuery = z.infer<typeof activityQuerySchema>

export const activityItemSchema = z.strictObject({
  id: z.int(),
  at: moment,
  user: named.nullable(),
  action: z.string(),
  lead: leadRefSchema.nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])),
  /** Only the network after 90 days. */
  address: z.string().nullable(),
})
export type ActivityItem = z.infer<typeof activityItemSchema>

export const readingLimitsSchema = z.strictObject({
  /** Leads shown in lists, searches and files, each counted once. */
  listed: z.int().min(50).max(1_000_000),
  opened: z.int().min(10).max(100_000),
})
export type ReadingLimits = z.infer<typeof readingLimitsSchema>

export const usualLimits: ReadingLimits = { listed: 1_500, opened: 200 }

const readingHourSchema = z.strictObject({
  hour: moment,
  listed: z.int(),
  opened: z.int(),
  searches: z.int(),
  unusualAt: moment.nullable(),
  reason: z.string().nullable(),
})
export type ReadingHour = z.infer<typeof readingHourSchema>

const personsHourSchema = readingHourSchema.extend({ user: named })
export type PersonsHour = z.infer<typeof personsHourSchema>

const readingQuestionSchema = z.strictObject({ hours: z.array(readingHourSchema) })
export type ReadingQuestion = z.infer<typeof readingQuestionSchema>

/** A reason, or "later". */
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

const followedExportSchema = z.strictObject({
  id: z.string(),
  at: moment,
  user: named.nullable(),
  format: z.string(),
  count: z.int(),
  state: exportStateSchema,
  purpose: z.string(),
  leads: z.array(leadRefSchema),
})
export type FollowedExport = z.infer<typeof followedExportSchema>

const leadFollowUpSchema = z.strictObject({
  leads: z.array(leadRefSchema),
  /** The caller is not shown who the person is: it is about the named lead only. */
  isProtected: z.boolean(),
  entries: z.array(activityItemSchema),
  isCut: z.boolean(),
  exports: z.array(followedExportSchema),
  /** Hours in which a user who could see the leads read unusually much: the person may have been among them. */
  hours: z.array(personsHourSchema),
})

/** Days of Stockholm, both included, at most 92. */
export const readerFollowUpQuerySchema = z.strictObject({ user: z.string().max(200), from: day, to: day, format })
export type ReaderFollowUpQuery = z.infer<typeof readerFollowUpQuerySchema>

const readerFollowUpSchema = z.strictObject({
  hours: z.array(readingHourSchema),
  opened: z.array(activityItemSchema),
  isCut: z.boolean(),
  exports: z.array(followedExportSchema),
})

export const activityEndpoints = {
  'GET /api/activity': endpoint('admin', 'The log, newest first, by user, lead or action.', {
    query: activityQuerySchema,
    answer: z.strictObject({ entries: z.array(activityItemSchema), hasMore: z.boolean() }),
  }),
  'GET /api/reading/unusual': endpoint('admin', 'Unusual reading of seven days, newest first.', {
    answer: z.strictObject({ hours: z.array(personsHourSchema) }),
  }),
  'GET /api/reading/question': endpoint('signed-in', 'Own unexplained hours of unusual reading.', {
    answer: readingQuestionSchema,
  }),
  'POST /api/reading/question': endpoint('signed-in', 'Explains them, or postpones.', {
    body: readingAnswerSchema,
    answer: z.strictObject({ explained: z.int() }),
  }),
  'GET /api/reading/limits': endpoint('admin', 'Above how much an hour’s reading is unusual.', {
    answer: readingLimitsSchema,
  }),
  'PUT /api/reading/limits': endpoint('admin', 'Sets it.', {
    proof: true,
    body: readingLimitsSchema,
    answer: readingLimitsSchema,
  }),
  'GET /api/log-follow-up/leads': endpoint(
    'admin',
    'Who has looked at a person’s leads, when and why; the question is logged.',
    { query: leadFollowUpQuerySchema, answer: leadFollowUpSchema, content: ['text/csv'] },
  ),
  'GET /api/log-follow-up/people': endpoint('admin', 'What a user looked at in some days; likewise.', {
    query: readerFollowUpQuerySchema,
    answer: readerFollowUpSchema,
    content: ['text/csv'],
  }),
} satisfies Declared
