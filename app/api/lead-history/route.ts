import { serve } from '@/server/http/routes'
import { getLeadHistory } from '@/server/leads/lead-history'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/lead-history', { GET: getLeadHistory })
