import { createRoutes } from '@/server/http/routes'
import { getContactRights } from '@/server/privacy/contact-rights'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/contacts/[id]/rights', {
  GET: getContactRights,
})
