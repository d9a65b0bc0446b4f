import { getContact } from '@/server/leads/get-contact'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/contacts/[id]', { GET: getContact })
