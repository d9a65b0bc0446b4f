import { streamEvents } from '@/server/events/stream-events'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/events', { GET: streamEvents })
