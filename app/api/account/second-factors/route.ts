import { listOwnFactors } from '@/server/access/second-factors'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/account/second-factors', {
  GET: listOwnFactors,
})
