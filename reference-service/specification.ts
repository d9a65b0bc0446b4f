import { z } from 'zod'

const id = z.string().min(1)
/** Any ISO 8601 time with a zone is read; the service answers in UTC with milliseconds. */
const createdAt = z.iso.datetime({ offset: true }).transform((time) => new Date(time).toISOString())

export const highSchoolSchema = z.object({ id, name: z.string() })
export type HighSchool = z.output<typeof highSchoolSchema>

export const askedQuestionSchema = z.object({
  id,
  highSchoolId: id,
  highSchoolName: z.string(),
  createdAt,
  question: z.string(),
  sender: z.discriminatedUnion('mode', [
    z.object({ mode: z.literal('email'), email: z.string(), phone: z.null().default(null) }),
    z.object({ mode: z.literal('phone'), phone: z.string(), email: z.null().default(null) }),
  ]),
})
export type AskedQuestion = z.output<typeof askedQuestionSchema>

export const declarationOfInterestSchema = z.object({
  id,
  highSchoolId: id,
  createdAt,
  user: z.object({
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    phone: z.string(),
    highSchoolEnrollmentYear: z.int(),
  }),
})
export type DeclarationOfInterest = z.output<typeof declarationOfInterestSchema>

/** Paths are relative to the base URL, which carries the fixed path prefix. */
export const ENDPOINT_PATHS = {
  askedQuestions: '/external/conversions/askedQuestions',
  declarationsOfInterest: '/external/conversions/declarationsOfInterest',
  highSchools: '/external/highSchools',
  highSchool: '/external/highSchool',
} as const
export type Endpoint = keyof typeof ENDPOINT_PATHS

export type RateLimits = { perSecond: number; perHour: number }

export const SPECIFIED_RATE_LIMITS: RateLimits = { perSecond: 10, perHour: 600 }

/** Returns the moment in ms. */
export type Clock = () => number
