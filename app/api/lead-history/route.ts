import { createRoutes } from '@/server/http/routes'
import { getLeadHistory } from '@/server/leads/lead-history'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/lead-history', { GET: getLeadHistory })
