import { interestQuerySchema } from '@/lib/contract/interest'
import { route } from '@/server/http/route'
import { getInterest } from '@/server/interest/get-interest'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'interest:read', query: interestQuerySchema }, ({ viewer, query }) =>
  getInterest(viewer, query),
)
