import { listActivity } from '@/server/privacy/list-activity'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/activity', { GET: listActivity })
