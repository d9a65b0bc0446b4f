import { createRoutes } from '@/server/http/routes'
import { changeTemplate, deleteTemplate } from '@/server/replies/reply-templates'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/templates/[id]', {
  PUT: changeTemplate,
  DELETE: deleteTemplate,
})
