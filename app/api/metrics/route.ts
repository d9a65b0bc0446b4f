import { serveMetrics } from '@/server/metrics/serve-metrics'

export * from '@/server/http/other-methods'

export const dynamic = 'force-dynamic'
export const GET = serveMetrics
