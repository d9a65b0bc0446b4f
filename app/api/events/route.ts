import { streamEvents } from '@/server/http/stream-events'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/events', { GET: streamEvents })
