import { leadHistory } from '@/server/leads/lead-history'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/lead-history', { GET: leadHistory })
