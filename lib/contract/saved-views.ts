import { z } from 'zod'
import { endpoint } from './endpoint'
import { leadListSchema } from './lead'
import {
  askedQuestionsFilterSchema,
  declarationsFilterSchema,
  isShortFilter,
  type LeadFilter,
  type Sort,
  sortSchema,
} from './list-query'

const orderFields = { sort: sortSchema.optional() }
const questionsViewSchema = askedQuestionsFilterSchema.extend(orderFields)
const declarationsViewSchema = declarationsFilterSchema.extend(orderFields)
export type ViewQuery = LeadFilter & { sort?: Sort | undefined }

const viewFields = { name: z.string().trim().min(1).max(80), shared: z.boolean().default(false) }
export const newViewSchema = z.discriminatedUnion('list', [
  z.strictObject({ list: z.literal('asked-questions'), ...viewFields, query: questionsViewSchema }),
  z.strictObject({ list: z.literal('declarations-of-interest'), ...viewFields, query: declarationsViewSchema }),
])

const savedViewSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  list: leadListSchema,
  query: questionsViewSchema.extend(declarationsViewSchema.shape),
  shared: z.boolean(),
  own: z.boolean(),
  count: z.int().nullable(),
})
export type SavedView = z.infer<typeof savedViewSchema>

export const viewEndpoints = {
  'GET /api/views': endpoint('leads:read', 'Own and shared views, with their leads’ number.', {
    answer: z.strictObject({ views: z.array(savedViewSchema) }),
  }),
  'POST /api/views': endpoint('leads:read', 'Saves a list’s filters and order.', {
    /** A shared view is shown to users who see all schools of its owner. */
    body: newViewSchema.refine(({ query }) => isShortFilter(query), { path: ['query'] }),
    answer: savedViewSchema,
    errors: { 409: 'too many, own or shared' },
  }),
  'DELETE /api/views/[id]': endpoint('leads:read', 'Deletes a view, for its owner and administrators.'),
}
