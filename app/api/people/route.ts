import { listColleagues } from '@/server/access/colleagues'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/people', { GET: listColleagues })
