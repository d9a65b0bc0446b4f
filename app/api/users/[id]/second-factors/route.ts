import { removeUserFactors } from '@/server/access/second-factors'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/users/[id]/second-factors', {
  DELETE: removeUserFactors,
})
