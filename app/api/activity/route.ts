import { createRoutes } from '@/server/http/routes'
import { listActivity } from '@/server/privacy/list-activity'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/activity', { GET: listActivity })
