import { serve } from '@/server/http/routes'
import { serveMetrics } from '@/server/run/metrics'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/metrics', { GET: serveMetrics })
