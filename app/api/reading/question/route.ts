import { readingAnswerSchema } from '@/lib/contract/reading'
import { answerReadingQuestion, readingQuestion } from '@/server/activity/reading-question'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'signed-in' }, ({ services, viewer }) => readingQuestion(services, viewer))

export const POST = route({ permission: 'signed-in', body: readingAnswerSchema }, ({ services, viewer, body }) =>
  answerReadingQuestion(services, viewer, body),
)
