import { declarationsQuerySchema } from '@/lib/contract/list-query'
import { route } from '@/server/http/route'
import { listDeclarations } from '@/server/leads/list-declarations'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:read', query: declarationsQuerySchema }, ({ viewer, query }) =>
  listDeclarations(viewer, query),
)
