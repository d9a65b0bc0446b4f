import { z } from 'zod'
import { extractRequestSchema } from '@/lib/contract/rights'
import { route } from '@/server/http/route'
import { makeExtract } from '@/server/rights/extract'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const POST = route(
  { permission: 'admin', params, body: extractRequestSchema, proof: true },
  ({ services, viewer, params: { id }, body }) => makeExtract(services, viewer, id, body),
)
