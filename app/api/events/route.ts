import { streamEvents } from '@/server/events/stream-events'
import { route } from '@/server/http/route'

export const GET = route({ permission: 'interest:read' }, ({ viewer, request }) => streamEvents(viewer, request))
