import { createRoutes } from '@/server/http/routes'
import { createListResponder } from '@/server/leads/list-leads'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/declarations-of-interest', {
  GET: createListResponder('declarations-of-interest'),
})
