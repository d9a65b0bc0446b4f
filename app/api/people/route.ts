import { createRoutes } from '@/server/http/routes'
import { listColleagues } from '@/server/access/users'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/people', { GET: listColleagues })
