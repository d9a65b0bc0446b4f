import { dayQuerySchema } from '@/lib/contract/day'
import { getDay } from '@/server/desk/day'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:read', query: dayQuerySchema }, ({ services, viewer, query }) =>
  getDay(services, viewer, query),
)
