import { listColleagues } from '@/server/access/colleagues'
import { serve } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/people', { GET: listColleagues })
