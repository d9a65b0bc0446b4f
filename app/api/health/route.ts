import { routes } from '@/server/http/routes'
import { health } from '@/server/http/health'

export const dynamic = 'force-dynamic'
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/health', { GET: health })
