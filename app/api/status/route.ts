import { routes } from '@/server/http/routes'
import { getStatus } from '@/server/run/status'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/status', { GET: getStatus })
