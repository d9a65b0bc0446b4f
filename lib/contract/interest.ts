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
 * Small numbers. Who may read the leads gets every number exactly. Who may only count (managers) gets exact numbers of whole
 * schools and cohorts, until a filter makes somebody guessable:
 * - A period, here and on the page: it is widened to whole ISO weeks; a number from 1 to 4 is told as 4 and written "<5";
 *   sums with such in them are approximate, so that subtraction finds nothing; times over fewer than 5 leads are null.
 * - Chosen schools, on the page with its tables, pictures and files, which are what is passed on: the same, and the curves
 *   rise by at least 5 at a time. Here they stay exact: they are for counting on, and add up to what the answer without a
 *   filter says of each school anyway.
 * So nobody is read off a page or an answer; whoever compares exact series can still find how many, though never who.
 */

/** Counts over the leads within the person's reach, and of the chosen schools if any are; never a name. */
export type Interest = {
  /** As asked, else this calendar year until the admission cycle's `reservesEnd` day (included), then next. */
  cohort: number
  /**
   * Every school and year with a declaration. `year` is null for declarations without one. `people`: distinct contacts;
   * declarations are one contact's when they share an e-mail or a phone, directly or through other leads in reach
   * (whatever schools are chosen); one with neither is a contact of its own.
   */
  byYearAndSchool: { highSchoolId: string; year: number | null; declarations: number; people: number }[]
  /** ISO 8601 weeks (`2026-W47`) in Europe/Stockholm with a lead of any year or none, oldest first. */
  weeks: { week: string; declarations: number; questions: number }[]
  /**
   * For each enrollment year that occurs, ascending: `[cycleDay, cumulative]` for each day on which a declaration for it
   * came. The cycle day is the number of Stockholm calendar days from that year's `applicationCloses` (15 February unless
   * an administrator set another day), negative before it.
   */
  curves: { year: number; points: [cycleDay: number, cumulative: number][] }[]
  /**
   * From a lead's `createdAt` until it became handled, over both kinds of lead whose status is handled. Median and 90th
   * percentile with linear interpolation, as `percentile_cont` of SQL has it. Null when nothing is handled.
   */
  handled: { medianMinutes: number | null; p90Minutes: number | null }
  /** Of the declarations. */
  snapshot: SnapshotInfo
  /** There only if small numbers are withheld; see above. */
  withheldBelow?: 5 | undefined
}
