import { z } from 'zod'
import { leadKindSchema, type LeadRef } from './lead'

/** `GET /api/activity?user=&kind=&id=&action=&before=&limit=`, administrators: newest first, ids only. */
export const activityQuerySchema = z.strictObject({
  user: z.string().max(200).optional(),
  kind: leadKindSchema.optional(),
  id: z.string().max(500).optional(),
  action: z.string().max(60).optional(),
  /** The `id` of the last entry of the page before. */
  before: z.int().optional(),
  limit: z.int().min(1).max(200).default(100),
})
export type ActivityQuery = z.infer<typeof activityQuerySchema>

export type ActivityItem = {
  id: number
  at: string
  user: { id: string; name: string } | null
  action: string
  lead: LeadRef | null
  details: Record<string, string | number | boolean | string[] | null>
  /** Where it came from; the network alone after 90 days. */
  address: string | null
}
export type ActivityAnswer = { entries: ActivityItem[]; hasMore: boolean }
