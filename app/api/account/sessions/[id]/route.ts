import { z } from 'zod'
import { endOwnSession } from '@/server/access/end-sessions'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const DELETE = route(
  { permission: 'signed-in', enrolling: true, params },
  async ({ services, viewer, params: { id } }) => {
    await endOwnSession(services, viewer, id)
    return {}
  },
)
