import { endSessionsQuerySchema } from '@/lib/contract/account'
import { endOwnSessions, listOwnSessions } from '@/server/access/end-sessions'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'signed-in', enrolling: true }, ({ services, viewer, session }) =>
  listOwnSessions(services, viewer, session),
)

export const DELETE = route(
  { permission: 'signed-in', enrolling: true, query: endSessionsQuerySchema },
  ({ services, viewer, session, query: { keep } }) =>
    endOwnSessions(services, viewer, keep === 'current' ? session : null),
)
