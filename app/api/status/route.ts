import { routes } from '@/server/http/routes'
import { getStatus } from '@/server/leads/feed-status'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/status', { GET: getStatus })
