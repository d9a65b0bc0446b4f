import { listColleagues } from '@/server/access/users'
import { serve } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/people', { GET: listColleagues })
