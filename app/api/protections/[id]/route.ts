import { z } from 'zod'
import { protectionChangeSchema } from '@/lib/contract/rights'
import { route } from '@/server/http/route'
import { changeProtection, liftProtection } from '@/server/rights/protect'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const PATCH = route(
  { permission: 'admin', params, body: protectionChangeSchema, proof: true },
  async ({ services, viewer, params: { id }, body }) => {
    await changeProtection(services, viewer, id, body)
    return {}
  },
)

export const DELETE = route(
  { permission: 'admin', params, proof: true },
  async ({ services, viewer, params: { id } }) => {
    await liftProtection(services, viewer, id)
    return {}
  },
)
