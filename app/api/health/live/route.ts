import { createRoutes } from '@/server/http/routes'
import { getLiveness } from '@/server/http/health'

export const dynamic = 'force-dynamic'
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/health/live', { GET: getLiveness })
