import { z } from 'zod'
import { getHighSchool } from '@/server/high-schools/get-high-school'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string() })

export const GET = route({ permission: 'interest:read', params }, ({ viewer, params: { id } }) =>
  getHighSchool(viewer, id),
)
