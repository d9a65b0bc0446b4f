import { serve } from '@/server/http/routes'
import { changeTemplate, deleteTemplate } from '@/server/replies/reply-templates'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/templates/[id]', {
  PUT: changeTemplate,
  DELETE: deleteTemplate,
})
