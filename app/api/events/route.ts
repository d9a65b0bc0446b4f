import { serve } from '@/server/http/routes'
import { streamEvents } from '@/server/http/stream-events'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/events', { GET: streamEvents })
