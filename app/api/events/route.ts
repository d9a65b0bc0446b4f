import { streamEvents } from '@/server/events/stream-events'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'interest:read' }, ({ viewer, request }) => streamEvents(viewer, request))
