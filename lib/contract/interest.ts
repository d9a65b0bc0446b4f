import { z } from 'zod'
import type { SnapshotInfo } from './feed-status'
import { daySchema } from './list-query'

/**
 * `GET /api/interest`. `cohort` (an enrollment year) names the answer's cohort and narrows nothing, so questions, which have
 * no year, are never dropped. A school out of reach adds nothing. `from` and `to` (Stockholm days, both included) narrow
 * everything but `curves` to the leads created then.
 */
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
 * What can still be found out stands in SECURITY.md, "Numbers for managers".
 */

/** How many; for managers rounded. */
export type Count = number | '<5'

/** How leads were answered; `null` where there is nothing to say, or too few to say it. */
export type AnswerFigures = {
  /** Leads that are answered. */
  count: Count
  /** Leads that have a goal, count as work, and are answered or were not by the end of their last day within it. */
  counted: Count
  /** The share (0 to 1) of the counted ones that were answered on their last day or before it. */
  withinGoal: number | null
  medianMinutes: number | null
  p90Minutes: number | null
}
export type Answers = AnswerFigures & {
  bySchool: (AnswerFigures & { highSchoolId: string })[]
  /** By the Stockholm ISO week in which the leads came, oldest first: of the period, else of the last 53 weeks. */
  weeks: (AnswerFigures & { week: string })[]
  lastYear: AnswerFigures
}
type Days = { from: string | null; to: string | null }

/** Counts over the leads within the person's reach, and of the chosen schools if any are; never a name. */
export type Interest = {
  /** As asked, else this calendar year until the admission cycle's `reservesEnd` day (included), then next. */
  cohort: number
  /**
   * Every school and year with a declaration. `year` is null for declarations without one. `people`: distinct contacts;
   * declarations are one contact's when they share an e-mail or a phone, directly or through other leads in reach
   * (whatever schools are chosen); one with neither is a contact of its own, and so is each of a protected person
   * whom the reader is not shown.
   */
  byYearAndSchool: { highSchoolId: string; year: number | null; declarations: Count; people: Count }[]
  /** ISO 8601 weeks (`2026-W47`) in Europe/Stockholm with a lead of any year or none, oldest first. */
  weeks: { week: string; declarations: Count; questions: Count }[]
  /**
   * For each enrollment year that occurs, ascending: `[cycleDay, cumulative]` for each day on which a declaration for it
   * came. The cycle day is the number of Stockholm calendar days from that year's `applicationCloses` (15 February unless
   * an administrator set another day), negative before it.
   */
  curves: { year: number; points: [cycleDay: number, cumulative: Count][] }[]
  /**
   * From a lead's `createdAt` until its first answer (an attempt that was `sent` or `talked`), or where none is told of until
   * it became handled, over both kinds of lead. Median and 90th percentile with linear interpolation, as `percentile_cont` of
   * SQL has it. Null when nothing is answered.
   */
  handled: { medianMinutes: number | null; p90Minutes: number | null }
  /**
   * Of the leads that came from `from` to `to`: the period asked for, else the cohort's admission year (the day after
   * `reservesEnd` until the next) as far as it has gone. `lastYear`: of those that came as many days from the year before's
   * `applicationCloses`.
   */
  answers: Answers & Days & { lastYear: AnswerFigures & Days }
  /** Of the declarations. */
  snapshot: SnapshotInfo
  /** There for managers: numbers are rounded, see above. */
  roundedTo?: 5 | undefined
}
