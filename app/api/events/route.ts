import { createRoutes } from '@/server/http/routes'
import { streamEvents } from '@/server/http/stream-events'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/events', { GET: streamEvents })
