import { answerReadingQuestion, readingQuestion } from '@/server/activity/reading-hours'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/reading/question', {
  GET: readingQuestion,
  POST: answerReadingQuestion,
})
