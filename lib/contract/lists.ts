import { z } from 'zod'
import { askedQuestionItemSchema, declarationOfInterestItemSchema, highSchoolSchema } from './lead'
import { snapshotSchema } from './snapshot'

/** `GET /api/asked-questions`; `total` counts every match, not the page. */
export const askedQuestionsPageSchema = z.object({
  askedQuestions: z.array(askedQuestionItemSchema),
  total: z.int(),
  snapshot: snapshotSchema,
})
export type AskedQuestionsPage = z.infer<typeof askedQuestionsPageSchema>

/** `GET /api/declarations-of-interest`. */
export const declarationsPageSchema = z.object({
  declarationsOfInterest: z.array(declarationOfInterestItemSchema),
  total: z.int(),
  snapshot: snapshotSchema,
})
export type DeclarationsPage = z.infer<typeof declarationsPageSchema>

/** `GET /api/high-schools`: only the person's schools. */
export const highSchoolsAnswerSchema = z.object({ highSchools: z.array(highSchoolSchema), snapshot: snapshotSchema })
export type HighSchoolsAnswer = z.infer<typeof highSchoolsAnswerSchema>
