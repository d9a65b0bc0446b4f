import { listOwnFactors } from '@/server/access/enrol-factors'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'signed-in', enrolling: true }, ({ services, viewer }) =>
  listOwnFactors(services, viewer),
)
