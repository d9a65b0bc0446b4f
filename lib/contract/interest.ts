import { z } from 'zod'
import { day, type Declared } from './endpoint'
import { snapshotInfoSchema } from './feed-status'
import { daySchema } from './list-query'

/** `cohort` (an enrollment year) narrows nothing; `from` and `to`, both included, all but `curves`. */
export const interestQuerySchema = z.strictObject({
  cohort: z.int().min(1900).max(9999).optional(),
  school: z.array(z.string().min(1).max(500)).max(1000).optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
})
export type InterestQuery = z.infer<typeof interestQuerySchema>

/*
 * Staff and administrators get exact numbers. Managers get them rounded, by one rule whatever they filter by (after Ofqual's
 * rounding policy and HESA's standard rounding, `lib/interest/rounding.ts`). All is counted exactly and rounded last, so sums
 * need not add up:
 * - a count is rounded to the nearest five; 1 to 4 is "<5", none is 0;
 * - a share is in whole per cent, and null of fewer than 25;
 * - a time is in whole hours, from two days on in whole days, and null of fewer than 8 answered leads;
 * - `from` and `to` are widened to whole ISO weeks, unless `from` begins and `to` ends a calendar month (an open end does both);
 *   so are the days of `lastYear`;
 * - `curves` have a point for each week in which something came, at its last day: weeks end on `applicationCloses`, and any
 *   number of whole weeks before and after it;
 * - `snapshot`, `GET /api/status` and the live stream have moments and versions of lists of leads in steps of five minutes.
 * What can still be found out is in SECURITY.md, "Numbers for managers".
 */

const countSchema = z.union([z.int(), z.literal('<5')])
export type Count = z.infer<typeof countSchema>

/** How leads were answered; `null` where there is nothing to say, or too few to say it. */
const answerFiguresSchema = z.strictObject({
  count: countSchema,
  /** Leads that have a goal, count as work, and are answered or were not by the end of their last day within it. */
  counted: countSchema,
  /** The share (0 to 1) of the counted ones that were answered on their last day or before it. */
  withinGoal: z.number().nullable(),
  medianMinutes: z.number().nullable(),
  p90Minutes: z.number().nullable(),
})
export type AnswerFigures = z.infer<typeof answerFiguresSchema>
const answersSchema = answerFiguresSchema.extend({
  bySchool: z.array(answerFiguresSchema.extend({ highSchoolId: z.string() })),
  /** By the Stockholm ISO week in which the leads came, oldest first: of the period, else of the last 53 weeks. */
  weeks: z.array(answerFiguresSchema.extend({ week: z.string() })),
  lastYear: answerFiguresSchema,
})
export type Answers = z.infer<typeof answersSchema>
const days = { from: day.nullable(), to: day.nullable() }

/** Counts over the leads within the person's reach, and of the chosen schools if any are; never a name. */
const interestSchema = z.strictObject({
  /** As asked, else this calendar year until `reservesEnd` (included), then the next. */
  cohort: z.int(),
  /**
   * `year` is null for declarations without one. `people`: distinct contacts, joined through all leads in reach,
   * whatever schools are chosen; a declaration without e-mail and phone, or of a hidden person, is a contact of its
   * own.
   */
  byYearAndSchool: z.array(
    z.strictObject({
      highSchoolId: z.string(),
      year: z.int().nullable(),
      declarations: countSchema,
      people: countSchema,
    }),
  ),
  /** ISO 8601 weeks (`2026-W47`) in Europe/Stockholm with a lead of any year or none, oldest first. */
  weeks: z.array(z.strictObject({ week: z.string(), declarations: countSchema, questions: countSchema })),
  /** `[cycleDay, cumulative]` for each day with a declaration, counted from that year's `applicationCloses`. */
  curves: z.array(z.strictObject({ year: z.int(), points: z.array(z.tuple([z.int(), countSchema])) })),
  /**
   * From `createdAt` until the first answer (`sent` or `talked`), or without one until it was handled, of both kinds.
   * Linear interpolation as in SQL's `percentile_cont`; null when nothing is answered.
   */
  handled: z.strictObject({ medianMinutes: z.number().nullable(), p90Minutes: z.number().nullable() }),
  /** Of the period asked for, else of the admission year so far; `lastYear` of as many days a year before. */
  answers: answersSchema.extend({ ...days, lastYear: answerFiguresSchema.extend(days) }),
  snapshot: snapshotInfoSchema,
  /** There for managers: numbers are rounded, see above. */
  roundedTo: z.literal(5).optional(),
})
export type Interest = z.infer<typeof interestSchema>

export const interestEndpoints = {
  'GET /api/interest': {
    what: 'Counts of declarations and answers, rounded for managers.',
    who: 'interest:read',
    query: interestQuerySchema,
    answer: interestSchema,
  },
} satisfies Declared
