import { activityQuerySchema } from '@/lib/contract/activity'
import { listActivity } from '@/server/activity/list-activity'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'admin', query: activityQuerySchema }, ({ services, viewer, query }) =>
  listActivity(services, viewer, query),
)
