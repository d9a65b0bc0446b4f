import { z } from 'zod'
import { type Declared, moment } from './endpoint'
import { FEED_LISTS, LEAD_LISTS } from './lists'
import { mailReportSchema } from './mail'
import { signOnReportSchema } from './single-sign-on'

/** What may be wrong with a list: the token, the limits, the way to the service, or its answer. */
export const problemKindSchema = z.enum([
  'unauthenticated',
  'unauthorized',
  'rate-limited',
  'unavailable',
  'unreadable',
])
export type ProblemKind = z.infer<typeof problemKindSchema>

/**
 * Where it went wrong, if not at the service: in Redis, which the instances share, so that nothing could be asked at all; in
 * Intag, which stood still over this very answer, was ended, and does not read it again before it has changed.
 */
const problemPlaceSchema = z.enum(['redis', 'intag'])
export type ProblemPlace = z.infer<typeof problemPlaceSchema>

const problemInfoSchema = z.strictObject({
  kind: problemKindSchema,
  since: moment,
  /** The service suddenly sent far fewer records, which are not believed yet. */
  isHeldBack: z.literal(true).exactOptional(),
  at: problemPlaceSchema.exactOptional(),
  /** At 'intag', the innermost places of the code. */
  stoodAt: z.string().exactOptional(),
})
export type ProblemInfo = z.infer<typeof problemInfoSchema>

/** How old the data on screen is, when it is next fetched, and what is wrong if anything is. */
export const snapshotInfoSchema = z.strictObject({
  /** When the service was asked for it: what came to it later may be missing. */
  fetchedAt: moment,
  /** Null while nothing is planned, or while an answer is slow to come. */
  nextAt: moment.nullable(),
  stale: z.boolean(),
  problem: problemInfoSchema.nullable(),
  /** Grows with every change of content, also over restarts. */
  version: z.int(),
  /** How many of the service's records could not be read and were set aside. */
  unreadable: z.int(),
})
export type SnapshotInfo = z.infer<typeof snapshotInfoSchema>

/** How fresh each list is (null: never fetched yet), what is wrong, and what of the hour is spent. */
const statusSchema = z.strictObject({
  mode: z.enum(['demo', 'connected']),
  /** The server's clock, which all the other moments are told by. */
  now: moment,
  lists: z.record(z.enum(FEED_LISTS), snapshotInfoSchema.nullable()),
  /** Also of a list that has never been fetched. */
  problems: z.array(problemInfoSchema.extend({ list: z.enum(FEED_LISTS), retryAt: moment.nullable() })),
  budget: z.strictObject({ spentThisHour: z.int(), perHour: z.int() }),
})
export type Status = z.infer<typeof statusSchema>

/** What one fetch came to: new content, the same content, or what was wrong. */
export const fetchOutcomeSchema = z.enum(['ok', 'not-modified', ...problemKindSchema.options])
export type FetchOutcome = z.infer<typeof fetchOutcomeSchema>

const fetchReportSchema = z.strictObject({
  at: z.string(),
  durationMs: z.number(),
  /** Of the decoded body; 0 when there was none. */
  bytes: z.int(),
  outcome: fetchOutcomeSchema,
  /** Empty when nothing was wrong. */
  detail: z.string(),
})
export type FetchReport = z.infer<typeof fetchReportSchema>

/** Everything an administrator is told of one list. Null: not known, because there has been no good answer yet. */
export const listReportSchema = z.strictObject({
  fetchedAt: z.string().nullable(),
  nextAt: z.string().nullable(),
  /** From the end of the last fetch, good or bad, to the next. */
  intervalMs: z.number().nullable(),
  problem: z
    .strictObject({
      kind: problemKindSchema,
      since: z.string(),
      detail: z.string(),
      at: problemPlaceSchema.optional(),
      /** The service suddenly sent only `now` records of `before`; not believed yet after so many such answers. */
      doubt: z.strictObject({ before: z.int(), now: z.int(), answers: z.int() }).optional(),
    })
    .nullable(),
  version: z.int(),
  records: z.int().nullable(),
  bytes: z.int().nullable(),
  /** New leads per hour, as the schedule estimates them; null for a list of something else. */
  arrivalsPerHour: z.number().nullable(),
  /** Newest first, at most 60. */
  history: z.array(fetchReportSchema),
  /** `total` counts all that could not be read, `records` holds the first of them: where, whose and why, never what. */
  setAside: z.strictObject({
    total: z.int(),
    records: z.array(z.strictObject({ index: z.int(), id: z.string().nullable(), reason: z.string() })),
  }),
})
export type ListReport = z.infer<typeof listReportSchema>

/** Browsers that have Intag open at another address than it is set up for: the last of them, and how many requests were refused. */
const otherAddressSchema = z.strictObject({
  openedAt: z.string(),
  setUpFor: z.string(),
  count: z.int(),
  lastAt: z.string(),
})
export type OtherAddressReport = z.infer<typeof otherAddressSchema>

const feedReportSchema = z.strictObject({
  /** The server's clock when it answered; what all other times are to be compared with. */
  at: z.string(),
  lists: z.record(z.enum(FEED_LISTS), listReportSchema),
  budget: z.strictObject({
    spentThisHour: z.int(),
    perHour: z.int(),
    perSecond: z.int(),
    /** How the hour is split: at most so many requests for whole lists, and for single schools. */
    shares: z.strictObject({ lists: z.int(), lookups: z.int() }),
  }),
  /** Null without single sign-on. */
  signOn: signOnReportSchema.nullable(),
  /** Null where people use their own mail programs. */
  mail: mailReportSchema.nullable(),
  /** Null when there was none within a day. */
  otherAddress: otherAddressSchema.nullable(),
})
export type FeedReport = z.infer<typeof feedReportSchema>

/**
 * A list that suddenly shrank by more than a tenth: what is kept about the leads that went is not purged until an administrator
 * agrees. `before` and `now` are sizes of the list.
 */
const purgeHoldSchema = z.strictObject({
  list: z.enum(LEAD_LISTS),
  before: z.int(),
  now: z.int(),
  since: moment,
})
export type PurgeHold = z.infer<typeof purgeHoldSchema>

const holds = z.strictObject({ holds: z.array(purgeHoldSchema) })

export const feedEndpoints = {
  'GET /api/status': {
    what: 'How fresh each list is, what is wrong with it, and how many of the hour’s requests are spent.',
    who: 'interest:read',
    answer: statusSchema,
  },
  'GET /api/feed-report': {
    what: 'How each list is fetched, and how the mail server and the provider of single sign-on do.',
    who: 'admin',
    answer: feedReportSchema,
  },
  'GET /api/purge-holds': {
    what: 'Lists that shrank so much that nothing about their leads is deleted until an administrator agrees.',
    who: 'admin',
    answer: holds,
  },
  'POST /api/purge-holds': {
    what: 'Agrees that such a list is right; answers the holds that are left.',
    who: 'admin',
    body: purgeHoldSchema.pick({ list: true }),
    answer: holds,
    errors: { 404: 'the list is not held' },
  },
} satisfies Declared
