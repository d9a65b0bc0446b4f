import { listActivity } from '@/server/access/list-activity'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/activity', { GET: listActivity })
