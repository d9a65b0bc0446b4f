import { leadRefSchema } from '@/lib/contract/lead'
import { leadHistory } from '@/server/desk/lead-history'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:read', query: leadRefSchema.strict() }, ({ services, viewer, query }) =>
  leadHistory(services, viewer, query),
)
