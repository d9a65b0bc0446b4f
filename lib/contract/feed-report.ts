import { z } from 'zod'
import { problemKindSchema } from './snapshot'

/** What one fetch came to: new content, the same content, or what was wrong. */
export const fetchOutcomeSchema = z.enum(['ok', 'not-modified', ...problemKindSchema.options])
export type FetchOutcome = z.infer<typeof fetchOutcomeSchema>

export const fetchReportSchema = z.object({
  at: z.string(),
  durationMs: z.number(),
  /** Of the decoded body; 0 when there was none. */
  bytes: z.int(),
  outcome: fetchOutcomeSchema,
  /** Empty when nothing was wrong. */
  detail: z.string(),
})
export type FetchReport = z.infer<typeof fetchReportSchema>

/** A record that could not be read: which one of the list, its opaque id if it has one, and why, without its content. */
const setAsideSchema = z.object({ index: z.int(), id: z.string().nullable(), reason: z.string() })

/** Everything an administrator is told of one list. Null: not known, because there has been no good answer yet. */
export const listReportSchema = z.object({
  fetchedAt: z.string().nullable(),
  nextAt: z.string().nullable(),
  /** From the end of the last fetch, good or bad, to the next. */
  intervalMs: z.number().nullable(),
  problem: z.object({ kind: problemKindSchema, since: z.string(), detail: z.string() }).nullable(),
  version: z.int(),
  records: z.int().nullable(),
  bytes: z.int().nullable(),
  /** New leads per hour, as the schedule estimates them; null for a list of something else. */
  arrivalsPerHour: z.number().nullable(),
  /** Newest first, at most 60. */
  history: z.array(fetchReportSchema),
  /** `total` counts all, `records` holds the first of them. */
  setAside: z.object({ total: z.int(), records: z.array(setAsideSchema) }),
})
export type ListReport = z.infer<typeof listReportSchema>

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
})
export type FeedReport = z.infer<typeof feedReportSchema>
export type ReportedList = keyof FeedReport['lists']
