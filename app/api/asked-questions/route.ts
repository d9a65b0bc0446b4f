import { serve } from '@/server/http/routes'
import { createListResponder } from '@/server/leads/list-leads'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/asked-questions', {
  GET: createListResponder('asked-questions'),
})
