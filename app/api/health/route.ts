import { health } from '@/server/health/health'

export const dynamic = 'force-dynamic'
export const GET = health
