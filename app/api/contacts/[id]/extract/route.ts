import { createRoutes } from '@/server/http/routes'
import { makeExtract } from '@/server/privacy/contact-rights'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/contacts/[id]/extract', {
  POST: makeExtract,
})
