import { getContact } from '@/server/leads/get-contact'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/contacts/[id]', { GET: getContact })
