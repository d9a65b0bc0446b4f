import { serve } from '@/server/http/routes'
import { listHighSchools } from '@/server/leads/high-schools'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/high-schools', { GET: listHighSchools })
