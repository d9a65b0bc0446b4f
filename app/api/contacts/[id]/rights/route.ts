import { z } from 'zod'
import { route } from '@/server/http/route'
import { contactRights } from '@/server/rights/contact-rights'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const GET = route({ permission: 'admin', params }, ({ services, viewer, params: { id } }) =>
  contactRights(services, viewer, id),
)
