import { listOwnFactors } from '@/server/access/second-factors'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/account/second-factors', { GET: listOwnFactors })
