import { createRoutes } from '@/server/http/routes'
import { getDay } from '@/server/leads/day'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/day', { GET: getDay })
