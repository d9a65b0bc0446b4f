import { ready } from '@/server/operations/readiness'
import { services } from '@/server/services'

export * from '@/server/http/other-methods'

export const dynamic = 'force-dynamic'
export const GET = () => ready(services())
