import { listCountsQuerySchema } from '@/lib/contract/list-counts'
import { route } from '@/server/http/route'
import { listCounts } from '@/server/leads/list-counts'

export * from '@/server/http/other-methods'

export const POST = route({ permission: 'leads:read', body: listCountsQuerySchema }, ({ viewer, body }) =>
  listCounts(viewer, body.matching),
)
