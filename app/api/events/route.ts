import { streamEvents } from '@/server/events/stream-events'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'interest:read' }, ({ services, viewer, session, request }) =>
  streamEvents(services, viewer, session, request),
)
