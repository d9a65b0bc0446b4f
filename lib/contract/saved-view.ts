import { z } from 'zod'
import type { LeadList } from './lead'
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

/** `POST /api/views` answers the view. What is shared is shown to those who see all schools that its owner sees now. */
export const newViewSchema = keptViewSchema.refine(({ query }) => isShortFilter(query), { path: ['query'] })
export type NewView = z.infer<typeof newViewSchema>

export type SavedView = {
  id: string
  name: string
  list: LeadList
  query: ViewQuery
  shared: boolean
  /** May the person who asks delete it. */
  own: boolean
  /** How many leads it has for the person who asks, now; null before the first data. */
  count: number | null
}

/** `GET /api/views`: the person's own and the shared ones. `DELETE /api/views/:id` is for its owner and administrators. */
export type SavedViewsAnswer = { views: SavedView[] }
