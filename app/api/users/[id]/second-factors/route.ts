import { removeFactorsOf } from '@/server/access/own-credentials'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/users/[id]/second-factors', {
  DELETE: removeFactorsOf,
})
