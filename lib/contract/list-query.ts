import { z } from 'zod'
import { leadStatusSchema } from './lead'

/** A calendar day in Europe/Stockholm. */
export const daySchema = z.iso.date().refine((day) => day >= '1900-01-01' && day < '9000-01-01')

export const sortSchema = z.enum(['-createdAt', 'createdAt', 'name', 'school', 'year'])
export type Sort = z.infer<typeof sortSchema>

const ids = z.array(z.string().min(1).max(500)).max(1000)

const sharedFilter = {
  id: ids.optional(),
  school: ids.optional(),
  q: z.string().max(200).optional(),
  status: z.array(leadStatusSchema).optional(),
  /** A user's id, `me` or `none`. */
  assignee: ids.optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
  /** Only what came since the person's last visit of this list. */
  fresh: z.boolean().optional(),
}
const page = {
  sort: sortSchema.default('-createdAt'),
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(500).default(50),
}

export const askedQuestionsFilterSchema = z.strictObject({
  ...sharedFilter,
  mode: z.array(z.enum(['email', 'phone'])).optional(),
})
export const declarationsFilterSchema = z.strictObject({
  ...sharedFilter,
  year: z.array(z.int().min(-9999).max(99_999)).optional(),
})
export type AskedQuestionsFilter = z.infer<typeof askedQuestionsFilterSchema>
export type DeclarationsFilter = z.infer<typeof declarationsFilterSchema>
/** Either list's filter; a field the list does not have is absent. */
export type LeadFilter = AskedQuestionsFilter & DeclarationsFilter

export const askedQuestionsQuerySchema = askedQuestionsFilterSchema.extend(page)
export const declarationsQuerySchema = declarationsFilterSchema.extend(page)
export type AskedQuestionsQuery = z.infer<typeof askedQuestionsQuerySchema>
export type DeclarationsQuery = z.infer<typeof declarationsQuerySchema>
export type LeadQuery = LeadFilter & { sort: Sort; offset: number; limit: number }
