import { serve } from '@/server/http/routes'
import { listActivity } from '@/server/privacy/list-activity'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/activity', { GET: listActivity })
