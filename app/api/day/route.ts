import { getDay } from '@/server/leads/day'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/day', { GET: getDay })
