import { serve } from '@/server/http/routes'
import { getInterest } from '@/server/interest/interest'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/interest', { GET: getInterest })
