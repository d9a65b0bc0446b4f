import { changeTemplate, deleteTemplate } from '@/server/replies/reply-templates'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/templates/[id]', {
  PUT: changeTemplate,
  DELETE: deleteTemplate,
})
