import { z } from 'zod'
import { countFactorsOf, removeFactorsOf } from '@/server/access/enrol-factors'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const GET = route({ permission: 'admin', params }, ({ services, viewer, params: { id } }) =>
  countFactorsOf(services, viewer, id),
)

export const DELETE = route({ permission: 'admin', params, proof: true }, ({ services, viewer, params: { id } }) =>
  removeFactorsOf(services, viewer, id),
)
