import { z } from 'zod'
import { route } from '@/server/http/route'
import { issueLink } from '@/server/users/administration'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const POST = route({ permission: 'admin', params, proof: true }, ({ services, viewer, params: { id } }) =>
  issueLink(services, viewer, id),
)
