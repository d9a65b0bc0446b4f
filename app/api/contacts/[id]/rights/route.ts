import { createRoutes } from '@/server/http/routes'
import { contactRights } from '@/server/privacy/contact-rights'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/contacts/[id]/rights', { GET: contactRights })
