import { listCountsQuerySchema } from '@/lib/contract/list-query'
import { route } from '@/server/http/route'
import { listCounts } from '@/server/leads/list-counts'

export * from '@/server/http/other-methods'

export const POST = route(
  { permission: 'leads:read', body: listCountsQuerySchema, load: 'read' },
  ({ services, viewer, body }) => listCounts(services, viewer, body.matching),
)
