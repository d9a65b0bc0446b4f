import { z } from 'zod'
import { endpoint, idsSchema } from './endpoint'
import { snapshotInfoSchema } from './feed-status'

/** `cohort` (an enrollment year) is echoed and selects no leads. Managers choose one school, or none for all. */
export const interestQuerySchema = z.strictObject({
  cohort: z.int().min(1900).max(9999).optional(),
  school: idsSchema.optional(),
})
export type InterestQuery = z.infer<typeof interestQuerySchema>

/*
 * Staff and administrators get exact numbers. A manager's are one published table, by school and for all of theirs, by
 * enrollment year, week and season to date, without protected persons. Each is counted exactly and rounded once, so
 * sums need not add up (after Ofqual's rounding policy and HESA's standard rounding):
 * - a count to the nearest five; 1 to 4 is "<5", none is 0;
 * - a share to whole per cent, and null of fewer than 25;
 * - a time to whole hours, from two days on to whole days, and null of fewer than 8 answered leads;
 * - shares and topics are of whole ISO weeks that have ended;
 * - `curves` have a point for each week with leads, at its end, which is whole weeks from `applicationCloses`;
 * - timestamps and versions of `snapshot`, `GET /api/status` and the live stream advance every five minutes.
 */

export const countSchema = z.union([z.int(), z.literal('<5')])
export type Count = z.infer<typeof countSchema>

export const interestEndpoints = {
  'GET /api/interest': endpoint('interest:read', 'Counts of declarations and answers, rounded for managers.', {
    query: interestQuerySchema,
    /** The answer counts leads within the user's scope, or to the chosen schools, and names no person. */
    answer: z.strictObject({
      /** The default is this calendar year until `reservesEnd` (included), and then the next year. */
      cohort: z.int(),
      /** `people` counts contacts. A lead without e-mail and phone, or with a protected identity, is one by itself. */
      byYearAndSchool: z.array(
        z.strictObject({
          highSchoolId: z.string(),
          year: z.int().nullable(),
          declarations: countSchema,
          people: countSchema,
        }),
      ),
      /** Weeks (ISO 8601, `2026-W47`, Europe/Stockholm) come oldest first, and count leads of any year or none. */
      weeks: z.array(z.strictObject({ week: z.string(), declarations: countSchema, questions: countSchema })),
      /** A point is `[day, cumulative]` of a day with a declaration, in days from that year's `applicationCloses`. */
      curves: z.array(z.strictObject({ year: z.int(), points: z.array(z.tuple([z.int(), countSchema])) })),
      /** Minutes from `createdAt` to the first answer or *handled*, of all answered leads, by SQL's `percentile_cont`. */
      handled: z.strictObject({ medianMinutes: z.number().nullable(), p90Minutes: z.number().nullable() }),
      snapshot: snapshotInfoSchema,
    }),
  }),
}
