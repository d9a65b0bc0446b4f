import { createRoutes } from '@/server/http/routes'
import { serveMetrics } from '@/server/run/metrics'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/metrics', { GET: serveMetrics })
