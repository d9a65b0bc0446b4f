import { createRoutes } from '@/server/http/routes'
import { getStatus } from '@/server/leads/feed-status'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/status', { GET: getStatus })
