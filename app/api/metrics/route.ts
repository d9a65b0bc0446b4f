import { serveMetrics } from '@/server/operations/metrics'
import { services } from '@/server/services'

export * from '@/server/http/other-methods'

export const dynamic = 'force-dynamic'
export const GET = (request: Request) => serveMetrics(services(), request)
