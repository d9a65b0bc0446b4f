import { removeFactorsOf } from '@/server/access/second-factors'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/users/[id]/second-factors', {
  DELETE: removeFactorsOf,
})
