import { createRoutes } from '@/server/http/routes'
import { createListResponder } from '@/server/leads/list-leads'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/asked-questions', {
  GET: createListResponder('asked-questions'),
})
