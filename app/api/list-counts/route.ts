import { serve } from '@/server/http/routes'
import { getListCounts } from '@/server/leads/list-counts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/list-counts', { POST: getListCounts })
