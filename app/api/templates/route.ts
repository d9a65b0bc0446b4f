import { addTemplate, listTemplates } from '@/server/replies/reply-templates'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/templates', {
  GET: listTemplates,
  POST: addTemplate,
})
