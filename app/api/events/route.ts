import { streamEvents } from '@/server/http/stream-events'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/events', { GET: streamEvents })
