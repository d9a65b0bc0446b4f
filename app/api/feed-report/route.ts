import { routes } from '@/server/http/routes'
import { feedReport } from '@/server/operations/status'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/feed-report', { GET: feedReport })
