import { createRoutes } from '@/server/http/routes'
import { getListCounts } from '@/server/leads/list-counts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/list-counts', { POST: getListCounts })
