import { health } from '@/server/health/health'

export * from '@/server/http/other-methods'

export const dynamic = 'force-dynamic'
export const GET = health
