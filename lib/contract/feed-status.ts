import { z } from 'zod'
import { type FeedList, LEAD_LISTS } from './lists'
import { mailReportSchema } from './mail'
import { signOnReportSchema } from './single-sign-on'

/** How old the data on screen is, when it is next fetched, and what is wrong if anything is. Times are ISO 8601. */
export type SnapshotInfo = {
  /** When the service was asked for it: what came to it later may be missing. */
  fetchedAt: string
  /** Null while nothing is planned, or while an answer is slow to come. */
  nextAt: string | null
  stale: boolean
  /**
   * `isHeldBack`: the service suddenly sent far fewer records, which are not believed yet. `at`: where it went wrong, if not
   * at the service.
   */
  problem: ProblemInfo | null
  /** Grows with every change of content, also over restarts. */
  version: number
  /** How many of the service's records could not be read and were set aside. */
  unreadable: number
}

/** `GET /api/status`: how fresh each list is (null: never fetched yet), what is wrong, and what of the hour is spent. */
export type Status = {
  mode: 'demo' | 'connected'
  /** The server's clock, which all the other moments are told by. */
  now: string
  lists: Record<FeedList, SnapshotInfo | null>
  /** Also of a list that has never been fetched. */
  problems: (ProblemInfo & { list: FeedList; retryAt: string | null })[]
  budget: { spentThisHour: number; perHour: number }
}

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

/** `stoodAt`: at 'intag', the innermost places of the code. */
export type ProblemInfo = {
  kind: ProblemKind
  since: string
  isHeldBack?: true
  at?: ProblemPlace
  stoodAt?: string
}

/** What one fetch came to: new content, the same content, or what was wrong. */
export const fetchOutcomeSchema = z.enum(['ok', 'not-modified', ...problemKindSchema.options])
export type FetchOutcome = z.infer<typeof fetchOutcomeSchema>

const fetchReportSchema = z.object({
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
export const listReportSchema = z.object({
  fetchedAt: z.string().nullable(),
  nextAt: z.string().nullable(),
  /** From the end of the last fetch, good or bad, to the next. */
  intervalMs: z.number().nullable(),
  problem: z
    .object({
      kind: problemKindSchema,
      since: z.string(),
      detail: z.string(),
      at: problemPlaceSchema.optional(),
      /** The service suddenly sent only `now` records of `before`; not believed yet after so many such answers. */
      doubt: z.object({ before: z.int(), now: z.int(), answers: z.int() }).optional(),
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
  setAside: z.object({
    total: z.int(),
    records: z.array(z.object({ index: z.int(), id: z.string().nullable(), reason: z.string() })),
  }),
})
export type ListReport = z.infer<typeof listReportSchema>

/** Browsers that have Intag open at another address than it is set up for: the last of them, and how many requests were refused. */
const otherAddressSchema = z.object({
  openedAt: z.string(),
  setUpFor: z.string(),
  count: z.int(),
  lastAt: z.string(),
})
export type OtherAddressReport = z.infer<typeof otherAddressSchema>

/** `GET /api/feed-report`, for administrators: how each list is fetched and what of the hour's requests is spent. */
export const feedReportSchema = z.object({
  /** The server's clock when it answered; what all other times are to be compared with. */
  at: z.string(),
  lists: z.object({
    'asked-questions': listReportSchema,
    'declarations-of-interest': listReportSchema,
    'high-schools': listReportSchema,
  }),
  budget: z.object({
    spentThisHour: z.int(),
    perHour: z.int(),
    perSecond: z.int(),
    /** How the hour is split: at most so many requests for whole lists, and for single schools. */
    shares: z.object({ lists: z.int(), lookups: z.int() }),
  }),
  /** Null without single sign-on. */
  signOn: signOnReportSchema.nullable(),
  /** Null where people use their own mail programs. */
  mail: mailReportSchema.nullable(),
  /** Null when there was none within a day. */
  otherAddress: otherAddressSchema.nullable(),
})
export type FeedReport = z.infer<typeof feedReportSchema>

/** `POST /api/purge-holds`: the administrator agrees that the list is right. Answers the holds that are left. */
export const purgeAgreementSchema = z.strictObject({ list: z.enum(LEAD_LISTS) })

/**
 * A list that suddenly shrank by more than a tenth: what is kept about the leads that went is not purged until an administrator
 * agrees. `before` and `now` are sizes of the list, `since` is ISO 8601.
 */
export type PurgeHold = z.infer<typeof purgeAgreementSchema> & { before: number; now: number; since: string }

/** `GET /api/purge-holds`, administrators. */
export type PurgeHoldsAnswer = { holds: PurgeHold[] }
