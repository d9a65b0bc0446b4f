import { getReadiness } from '@/server/http/health'
import { serve } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/health/ready', { GET: getReadiness })
