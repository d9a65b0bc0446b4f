import { routes } from '@/server/http/routes'
import { ready } from '@/server/http/health'

export const dynamic = 'force-dynamic'
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/health/ready', { GET: ready })
