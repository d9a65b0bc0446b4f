import { serve } from '@/server/http/routes'
import { getContact } from '@/server/leads/get-contact'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/contacts/[id]', { GET: getContact })
