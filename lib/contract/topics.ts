import { z } from 'zod'
import { day, type Declared, endpoint } from './endpoint'
import { countSchema, interestQuerySchema } from './interest'

const days = { from: day.nullable(), to: day.nullable() }

/**
 * Counts by the rule in `lib/contract/interest.ts`; for managers of whole ISO weeks that have ended, and `change` is of the rounded
 * counts. A question may have several topics. One that is hidden from the caller is not counted, for managers none of a protected
 * person.
 */
export const topicFiguresSchema = z.strictObject({
  /** As asked, else the admission year so far; `lastYear` the same days 52 weeks before. */
  ...days,
  lastYear: z.strictObject(days),
  /** ISO 8601 weeks of the period, its last 53. */
  weeks: z.array(z.string()),
  topics: z.array(
    z.strictObject({
      /** `none`: of no topic. */
      id: z.string(),
      /** Null for `none`. */
      name: z.strictObject({ sv: z.string(), en: z.string() }).nullable(),
      questions: countSchema,
      lastYear: countSchema,
      /** As a share of last year's; null where either is of fewer than 25, or no question came in that year's first month or before. */
      change: z.number().nullable(),
      weeks: z.array(countSchema),
      /** Schools that were asked, the most first. */
      bySchool: z.array(z.strictObject({ highSchoolId: z.string(), questions: countSchema })),
    }),
  ),
  roundedTo: z.literal(5).optional(),
})
export type TopicFigures = z.infer<typeof topicFiguresSchema>

export const topicEndpoints = {
  'GET /api/interest/topics': endpoint(
    'interest:read',
    'What questions are about, by week and school, rounded for managers.',
    { query: interestQuerySchema, answer: topicFiguresSchema },
  ),
} satisfies Declared
