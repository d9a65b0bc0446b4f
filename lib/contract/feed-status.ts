import { z } from 'zod'
import { endpoint, momentSchema } from './endpoint'
import { FEED_LISTS, LEAD_LISTS } from './lists'

/** The first two problems lie with the token; the others are of the limits, the connection and the answer. */
export const problemKindSchema = z.enum([
  'unauthenticated',
  'unauthorized',
  'rate-limited',
  'unavailable',
  'unreadable',
])
export type ProblemKind = z.infer<typeof problemKindSchema>

const problemInfoSchema = z.strictObject({
  kind: problemKindSchema,
  since: momentSchema,
  /** The list shrank suddenly and is not believed yet. */
  isHeldBack: z.literal(true).exactOptional(),
  /** The problem lies with the database instead of the service. */
  at: z.literal('database').exactOptional(),
})
export type ProblemInfo = z.infer<typeof problemInfoSchema>

export const snapshotInfoSchema = z.strictObject({
  fetchedAt: momentSchema,
  /** Null means that no fetch is planned. */
  nextAt: momentSchema.nullable(),
  stale: z.boolean(),
  problem: problemInfoSchema.nullable(),
  /** The version grows with every change of content, across restarts. */
  version: z.int(),
  unreadable: z.int(),
})
export type SnapshotInfo = z.infer<typeof snapshotInfoSchema>

const statusSchema = z.strictObject({
  mode: z.enum(['demo', 'connected']),
  now: momentSchema,
  lists: z.record(z.enum(FEED_LISTS), snapshotInfoSchema.nullable()),
  problems: z.array(problemInfoSchema.extend({ list: z.enum(FEED_LISTS), retryAt: momentSchema.nullable() })),
  budget: z.strictObject({ spentThisHour: z.int(), perHour: z.int() }),
})
export type Status = z.infer<typeof statusSchema>

/** Over a tenth of a list's leads are gone or replaced. None of them is purged until an administrator agrees. */
const purgeHoldSchema = z.strictObject({
  list: z.enum(LEAD_LISTS),
  cause: z.enum(['shrunk', 'renewed']),
  before: z.int(),
  now: z.int(),
  missing: z.int(),
  since: momentSchema,
})
export type PurgeHold = z.infer<typeof purgeHoldSchema>

const purgeHoldsSchema = z.strictObject({ holds: z.array(purgeHoldSchema) })

export const feedEndpoints = {
  'GET /api/status': endpoint('interest:read', 'Each list’s freshness and fault; the hour’s spent requests.', {
    answer: statusSchema,
  }),
  'GET /api/purge-holds': endpoint('admin', 'Lists that lack many leads, which an administrator must agree to purge.', {
    answer: purgeHoldsSchema,
  }),
  'POST /api/purge-holds': endpoint('admin', 'Agrees; answers what is left.', {
    body: purgeHoldSchema.pick({ list: true }),
    answer: purgeHoldsSchema,
    errors: { 404: 'not held' },
  }),
}
