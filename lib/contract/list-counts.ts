import { z } from 'zod'
import { matchingSchema } from './triage'

/**
 * `POST /api/list-counts` with `matching`: how many leads each choice of each filter would show, were it chosen instead of
 * what is chosen in that filter now (the other filters stay). Choices of zero are left out.
 */
export const listCountsQuerySchema = z.strictObject({ matching: matchingSchema })

export const listCountsSchema = z.object({
  total: z.int(),
  school: z.record(z.string(), z.int()),
  status: z.record(z.string(), z.int()),
  /** By user id, and `none`. */
  assignee: z.record(z.string(), z.int()),
  mode: z.record(z.string(), z.int()),
  year: z.record(z.string(), z.int()),
  /** Of those that match: what came since the last visit, and when that visit ended (ISO 8601; null: this is the first). */
  fresh: z.int(),
  freshSince: z.string().nullable(),
})
export type ListCounts = z.infer<typeof listCountsSchema>
