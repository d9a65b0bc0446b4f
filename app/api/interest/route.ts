import { createRoutes } from '@/server/http/routes'
import { getInterest } from '@/server/interest/interest'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/interest', { GET: getInterest })
