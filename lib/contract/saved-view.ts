import { z } from 'zod'
import { leadListSchema } from './lead'
import { askedQuestionsFilterSchema, declarationsFilterSchema, sortSchema } from './list-query'

const name = z.string().trim().min(1).max(80)
const shared = z.boolean().default(false)
const sort = { sort: sortSchema.optional() }

/** A list's own query parameters, without the page. */
export const viewQuerySchemas = {
  'asked-questions': askedQuestionsFilterSchema.extend(sort),
  'declarations-of-interest': declarationsFilterSchema.extend(sort),
} as const
export type ViewQuery = z.infer<(typeof viewQuerySchemas)['asked-questions']> &
  z.infer<(typeof viewQuerySchemas)['declarations-of-interest']>

/** `POST /api/views` answers the view. */
export const newViewSchema = z.discriminatedUnion('list', [
  z.strictObject({ list: z.literal('asked-questions'), name, query: viewQuerySchemas['asked-questions'], shared }),
  z.strictObject({
    list: z.literal('declarations-of-interest'),
    name,
    query: viewQuerySchemas['declarations-of-interest'],
    shared,
  }),
])
export type NewView = z.infer<typeof newViewSchema>

export const savedViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  list: leadListSchema,
  query: z.record(z.string(), z.unknown()),
  shared: z.boolean(),
  /** May the person who asks delete it. */
  own: z.boolean(),
  /** How many leads it has for the person who asks, now; null before the first data. */
  count: z.int().nullable(),
})
export type SavedView = Omit<z.infer<typeof savedViewSchema>, 'query'> & { query: ViewQuery }

/** `GET /api/views`: the person's own and the shared ones. `DELETE /api/views/:id` is for its owner and administrators. */
export type SavedViewsAnswer = { views: SavedView[] }
