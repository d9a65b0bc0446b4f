import { z } from 'zod'
import { getHighSchool } from '@/server/leads/high-schools'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(500) })

export const GET = route({ permission: 'interest:read', params }, ({ services, viewer, params: { id } }) =>
  getHighSchool(services, viewer, id),
)
