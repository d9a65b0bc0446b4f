import { leadHistory } from '@/server/desk/lead-history'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/lead-history', { GET: leadHistory })
