import { z } from 'zod'
import { erasureRequestSchema } from '@/lib/contract/rights'
import { route } from '@/server/http/route'
import { eraseData } from '@/server/rights/erasure'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const POST = route(
  { permission: 'admin', params, body: erasureRequestSchema, proof: true },
  ({ services, viewer, params: { id }, body }) => eraseData(services, viewer, id, body),
)
