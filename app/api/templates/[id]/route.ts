import { changeTemplate, deleteTemplate } from '@/server/replies/reply-templates'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/templates/[id]', {
  PUT: changeTemplate,
  DELETE: deleteTemplate,
})
