import { z } from 'zod'
import { route } from '@/server/http/route'
import { unbindUser } from '@/server/users/administration'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const DELETE = route({ permission: 'admin', params, proof: true }, ({ services, viewer, params: { id } }) =>
  unbindUser(services, viewer, id),
)
