import { z } from 'zod'
import { endpoint, momentSchema, namedRefSchema } from './endpoint'
import { leadKindSchema, leadRefSchema } from './lead'

export const activityQuerySchema = z.strictObject({
  user: z.string().max(200).optional(),
  kind: leadKindSchema.optional(),
  id: z.string().max(500).optional(),
  /** This parameter is `id` by its older name. */
  lead: z.string().max(500).optional(),
  action: z.array(z.string().max(60)).max(100).optional(),
  before: z.int().optional(),
  limit: z.int().min(1).max(200).default(100),
})
export type ActivityQuery = z.infer<typeof activityQuerySchema>

export const activityItemSchema = z.strictObject({
  id: z.int(),
  at: momentSchema,
  user: namedRefSchema.nullable(),
  action: z.string(),
  lead: leadRefSchema.nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])),
  /** After 90 days only the network of the address is left. */
  address: z.string().nullable(),
})
export type ActivityItem = z.infer<typeof activityItemSchema>

export const activityEndpoints = {
  'GET /api/activity': endpoint('admin', 'The log, newest first, by user, lead or action.', {
    query: activityQuerySchema,
    answer: z.strictObject({ entries: z.array(activityItemSchema), hasMore: z.boolean() }),
  }),
}
