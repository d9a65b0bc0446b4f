import { createRoutes } from '@/server/http/routes'
import { answerList } from '@/server/leads/list-leads'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/declarations-of-interest', {
  GET: answerList('declarations-of-interest'),
})
