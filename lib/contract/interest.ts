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
 * Small numbers. Who may read the leads gets every number exactly. Who may only count (managers) is told, whatever is asked:
 * - `byYearAndSchool`: 5 and more exactly; 1 to 4 as 4, which means "<5". `people` may be up to 4 too many, because one to
 *   four who declared again, or to another school first, are not told apart. A period tells nothing of the "<5".
 * - `weeks`, `curves` and periods (widened to whole ISO weeks) are made of blocks of five or more of the same school, year
 *   and kind of person or question, each told as spread evenly over its days (at most 28). 1 to 4 is told as 4, and curves
 *   rise by 5 or more at a time. The "<5" of `byYearAndSchool` are not in them.
 * - `handled`: of schools with eight or more answered leads, never of a period, and never with a lead of a "<5".
 * - `answers`: shares in whole per cent and times, no numbers of leads, and whole admission years whatever the period: of
 *   schools with eight or more of the cohort's, without leads of a "<5"; one to seven late ones, or ones in time, count as
 *   four. A school's weeks are told together until eight came, and of weeks no times.
 * - `snapshot` (and what `GET /api/status` and the live stream say of lists of leads): its moment and version in steps of five
 *   minutes, whether or not anything came.
 * All of it is counted over one copy of the leads in which no group is smaller than five (`lib/interest/told-leads.ts`), so
 * filters cannot be subtracted from each other. What is left: who asks again later sees that a number of five or more has
 * grown, hence that somebody declared to that school for that year in between, but never who; and from "<5" to 5, that it
 * was 4. So do two managers who see different schools and compare. Exact numbers cannot be told without that.
 */

/** How leads were answered; `null` stands for none, and for numbers that are not told. */
type AnswerFigures = {
  /** Leads that are answered. */
  count: number | null
  /** Leads that have a goal, count as work, and are answered or were not by the end of their last day within it. */
  counted: number | null
  /** The share (0 to 1) of the counted ones that were answered on their last day or before it. */
  withinGoal: number | null
  medianMinutes: number | null
  p90Minutes: number | null
}

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
   * From a lead's `createdAt` until its first answer (an attempt that was `sent` or `talked`), or where none is told of until
   * it became handled, over both kinds of lead. Median and 90th percentile with linear interpolation, as `percentile_cont` of
   * SQL has it. Null when nothing is answered.
   */
  handled: { medianMinutes: number | null; p90Minutes: number | null }
  /**
   * Of the leads that came from `from` to `to`: the period asked for, else the cohort's admission year (the day after
   * `reservesEnd` until the next) as far as it has gone. `lastYear`: of those that came as many days from the year before's
   * `applicationCloses`; for who may only count, in its whole admission year.
   */
  answers: AnswerFigures & {
    from: string | null
    to: string | null
    bySchool: (AnswerFigures & { highSchoolId: string })[]
    /** By the Stockholm ISO week in which the leads came, oldest first: of the period, else of the last 53 weeks. */
    weeks: (AnswerFigures & { week: string })[]
    lastYear: AnswerFigures & { from: string | null; to: string | null }
  }
  /** Of the declarations. */
  snapshot: SnapshotInfo
  /** There for who may only count: small numbers are withheld, see above. */
  withheldBelow?: 5 | undefined
}
