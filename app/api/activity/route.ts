import { listActivity } from '@/server/privacy/list-activity'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/activity', { GET: listActivity })
