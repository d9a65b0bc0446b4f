import { z } from 'zod'
import { day, type Declared, endpoint, moment, named } from './endpoint'
import { countSchema, interestQuerySchema } from './interest'
import { daySchema } from './list-query'
import { schoolScopeSchema } from './user'

/** What a token opens. One purpose each, so that one for numbers never opens anything else. */
const tokenPurposeSchema = z.enum(['figures', 'directory'])
export type TokenPurpose = z.infer<typeof tokenPurposeSchema>

const tokenSchema = z.strictObject({
  id: z.string(),
  purpose: tokenPurposeSchema,
  name: z.string(),
  schools: schoolScopeSchema,
  createdBy: named,
  createdAt: moment,
  expiresAt: moment.nullable(),
  /** At most a minute old. */
  lastUsedAt: moment.nullable(),
})
export type Token = z.infer<typeof tokenSchema>

/** `until`: its last day, in Europe/Stockholm; without, until it is withdrawn. */
const newTokenSchema = z.strictObject({
  purpose: tokenPurposeSchema.default('figures'),
  name: z.string().trim().min(1).max(100),
  schools: schoolScopeSchema.refine((schools) => schools.length > 0),
  until: daySchema.optional(),
})
export type NewToken = z.input<typeof newTokenSchema>

const counts = {
  declarations: countSchema,
  declarationsLastYear: countSchema.nullable(),
  declarationsLastYearInAll: countSchema.nullable(),
  changePercent: z.int().nullable(),
  forecastLow: z.number().nullable(),
  forecastHigh: z.number().nullable(),
  questionsWaiting: countSchema,
  questionsLate: countSchema,
  withinGoalPercent: z.int().nullable(),
}
/** Also the columns of the CSV, in this order. */
export const figureRowSchema = z.strictObject({
  asOf: day,
  enrollmentYear: z.int(),
  highSchoolId: z.string(),
  highSchool: z.string(),
  ...counts,
})
export type FigureRow = z.infer<typeof figureRowSchema>

const figuresSchema = z.strictObject({
  asOf: day,
  enrollmentYear: z.int(),
  roundedTo: z.literal(5),
  /** All schools together, as the page adds them up. */
  all: z.strictObject(counts),
  schools: z.array(figureRowSchema),
})
export type Figures = z.infer<typeof figuresSchema>

export const figuresQuerySchema = interestQuerySchema
  .pick({ cohort: true })
  .extend({ format: z.enum(['json', 'csv']).optional() })
export type FiguresQuery = z.infer<typeof figuresQuerySchema>

export const tokenEndpoints = {
  'GET /api/tokens': endpoint('admin', 'Tokens for other tools.', {
    answer: z.strictObject({ tokens: z.array(tokenSchema) }),
  }),
  'POST /api/tokens': endpoint('admin', 'Makes a token, which only this answer shows.', {
    proof: true,
    body: newTokenSchema,
    answer: z.strictObject({ id: z.string(), token: z.string() }),
  }),
  'DELETE /api/tokens/[id]': endpoint('admin', 'Withdraws it, from the next request on.'),
  'GET /api/figures': endpoint(
    'anyone',
    'The interest page’s numbers by school, rounded as for managers, with `Authorization: Bearer` and a token; no session opens it. CSV by `format` or `Accept`: a row per school, commas, decimal points, no byte order mark. 60 requests an hour, then one a minute.',
    {
      query: figuresQuerySchema,
      answer: figuresSchema,
      content: ['text/csv'],
      errors: { 401: 'no valid token', 429: 'too many requests' },
    },
  ),
} satisfies Declared
