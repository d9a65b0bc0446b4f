import { serveMetrics } from '@/server/metrics/serve-metrics'

export const dynamic = 'force-dynamic'
export const GET = serveMetrics
