import { getLeadHistory } from '@/server/leads/lead-history'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/lead-history', { GET: getLeadHistory })
