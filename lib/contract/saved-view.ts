import { z } from 'zod'
import { byId, type Declared } from './endpoint'
import { leadListSchema } from './lead'
import { askedQuestionsFilterSchema, declarationsFilterSchema, isShortFilter, sortSchema } from './list-query'

const name = z.string().trim().min(1).max(80)
const shared = z.boolean().default(false)
const sort = { sort: sortSchema.optional() }

/** A list's own query parameters, without the page. */
const viewQuerySchemas = {
  'asked-questions': askedQuestionsFilterSchema.extend(sort),
  'declarations-of-interest': declarationsFilterSchema.extend(sort),
} as const
export type ViewQuery = z.infer<(typeof viewQuerySchemas)['asked-questions']> &
  z.infer<(typeof viewQuerySchemas)['declarations-of-interest']>

/** What is kept of a view. */
export const keptViewSchema = z.discriminatedUnion('list', [
  z.strictObject({ list: z.literal('asked-questions'), name, query: viewQuerySchemas['asked-questions'], shared }),
  z.strictObject({
    list: z.literal('declarations-of-interest'),
    name,
    query: viewQuerySchemas['declarations-of-interest'],
    shared,
  }),
])

/** What is shared is shown to those who see all schools that its owner sees now. */
export const newViewSchema = keptViewSchema.refine(({ query }) => isShortFilter(query), { path: ['query'] })
export type NewView = z.infer<typeof newViewSchema>

const savedViewSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  list: leadListSchema,
  /** A field that the list does not have is absent. */
  query: viewQuerySchemas['asked-questions'].extend(viewQuerySchemas['declarations-of-interest'].shape),
  shared: z.boolean(),
  /** May the person who asks delete it. */
  own: z.boolean(),
  /** How many leads it has for the person who asks, now; null before the first data. */
  count: z.int().nullable(),
})
export type SavedView = z.infer<typeof savedViewSchema>

export const viewEndpoints = {
  'GET /api/views': {
    what: 'The caller’s own saved views and the shared ones, each with how many leads it has now.',
    who: 'leads:read',
    answer: z.strictObject({ views: z.array(savedViewSchema) }),
  },
  'POST /api/views': {
    what: 'Keeps the filters and the order of a list under a name.',
    who: 'leads:read',
    body: newViewSchema,
    answer: savedViewSchema,
    errors: { 409: 'there are too many, of the caller’s or of the shared ones' },
  },
  'DELETE /api/views/[id]': {
    what: 'Deletes a saved view, for its owner and administrators.',
    who: 'leads:read',
    params: byId,
  },
} satisfies Declared
