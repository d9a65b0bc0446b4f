import { getDay } from '@/server/leads/day'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/day', { GET: getDay })
