import { interestQuerySchema } from '@/lib/contract/interest'
import { route } from '@/server/http/route'
import { getInterest } from '@/server/interest/interest'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'interest:read', query: interestQuerySchema }, ({ services, viewer, query }) =>
  getInterest(services, viewer, query),
)
