import { health } from '@/server/operations/health'
import { services } from '@/server/services'

export * from '@/server/http/other-methods'

export const dynamic = 'force-dynamic'
export const GET = () => health(services())
