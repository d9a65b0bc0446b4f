import { z } from 'zod'
import { type ActivityItem } from './activity'
import { leadKindSchema, type LeadRef } from './lead'

/** What is more than usual within an hour: `GET`, `PUT /api/reading/limits`, administrators. */
export const readingLimitsSchema = z.strictObject({
  /** Leads shown in lists, searches and files, each once. */
  listed: z.int().min(50).max(1_000_000),
  /** Leads opened. */
  opened: z.int().min(10).max(100_000),
})
export type ReadingLimits = z.infer<typeof readingLimitsSchema>

export const usualLimits: ReadingLimits = { listed: 1_500, opened: 200 }

/** How much somebody read within one hour of the clock, without what. */
export type ReadingHour = {
  hour: string
  listed: number
  opened: number
  searches: number
  /** When it became more than usual; null where it did not. */
  unusualAt: string | null
  /** What the person said why. Null: nothing yet. */
  reason: string | null
}

export type PersonsHour = ReadingHour & { user: { id: string; name: string } }

/** `GET /api/reading/unusual`, administrators: what was more than usual in the last seven days, newest first. */
export type UnusualAnswer = { hours: PersonsHour[] }

/** `GET /api/reading/question`: the hours that the person has not explained. */
export type ReadingQuestion = { hours: ReadingHour[] }

/** `POST /api/reading/question`: why, or that one answers later. */
export const readingAnswerSchema = z.union([
  z.strictObject({ reason: z.string().trim().min(3).max(500) }),
  z.strictObject({ later: z.literal(true) }),
])
export type ReadingAnswer = z.infer<typeof readingAnswerSchema>

const format = z.enum(['json', 'csv']).default('json')
const day = z.iso.date()

/** `GET /api/log-follow-up/leads`, administrators: a contact, or the person of one lead. */
export const leadFollowUpQuerySchema = z.strictObject({
  contact: z.string().max(100).optional(),
  kind: leadKindSchema.optional(),
  id: z.string().max(500).optional(),
  format,
})
export type LeadFollowUpQuery = z.infer<typeof leadFollowUpQuerySchema>

/** An export that held leads of the person. */
export type FollowedExport = {
  id: string
  at: string
  user: { id: string; name: string } | null
  format: string
  /** How many leads it held in all. */
  count: number
  state: 'started' | 'finished' | 'broken'
  purpose: string
  leads: LeadRef[]
}

/** Who has looked at a person's leads, when and why; each list newest first. */
export type LeadFollowUp = {
  leads: LeadRef[]
  /** The person's identity is protected from who asks: it is only about the lead that was named. */
  isProtected: boolean
  entries: ActivityItem[]
  /** There are older entries than these. */
  isCut: boolean
  exports: FollowedExport[]
  /** Hours of somebody who could see the leads and was shown more than usual: the person may have been among them. */
  hours: PersonsHour[]
}

/** `GET /api/log-follow-up/people`, administrators: days of Stockholm, both included, at most 92. */
export const readerFollowUpQuerySchema = z.strictObject({ user: z.string().max(200), from: day, to: day, format })
export type ReaderFollowUpQuery = z.infer<typeof readerFollowUpQuerySchema>

/** What somebody looked at; each list newest first. */
export type ReaderFollowUp = {
  hours: ReadingHour[]
  opened: ActivityItem[]
  isCut: boolean
  exports: FollowedExport[]
}
