import { serve } from '@/server/http/routes'
import { getStatus } from '@/server/leads/feed-status'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/status', { GET: getStatus })
