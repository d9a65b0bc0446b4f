import { createRoutes } from '@/server/http/routes'
import { getReadiness } from '@/server/http/health'

export const dynamic = 'force-dynamic'
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/health/ready', { GET: getReadiness })
