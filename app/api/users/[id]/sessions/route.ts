import { z } from 'zod'
import { endSessionsOf, listSessionsOf } from '@/server/access/end-sessions'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const GET = route({ permission: 'admin', params }, ({ services, viewer, session, params: { id } }) =>
  listSessionsOf(services, viewer, id, session),
)

export const DELETE = route({ permission: 'admin', params, proof: true }, ({ services, viewer, params: { id } }) =>
  endSessionsOf(services, viewer, id),
)
