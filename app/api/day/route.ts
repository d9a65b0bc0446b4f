import { serve } from '@/server/http/routes'
import { getDay } from '@/server/leads/day'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/day', { GET: getDay })
