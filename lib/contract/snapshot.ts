import { z } from 'zod'

export const problemKindSchema = z.enum([
  'unauthenticated',
  'unauthorized',
  'rate-limited',
  'unavailable',
  'unreadable',
])
export type ProblemKind = z.infer<typeof problemKindSchema>

/** How old the data on screen is, when it is next fetched, and what is wrong if anything is. Times are ISO 8601. */
export const snapshotSchema = z.object({
  fetchedAt: z.string(),
  nextAt: z.string().nullable(),
  stale: z.boolean(),
  problem: z.object({ kind: problemKindSchema, since: z.string() }).nullable(),
  /** Grows with every change of content, also over restarts. */
  version: z.int(),
  /** How many of the service's records could not be read and were set aside. */
  unreadable: z.int(),
})
export type SnapshotInfo = z.infer<typeof snapshotSchema>
