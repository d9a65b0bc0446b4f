import { serve } from '@/server/http/routes'
import { addTemplate, listTemplates } from '@/server/replies/reply-templates'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/templates', {
  GET: listTemplates,
  POST: addTemplate,
})
