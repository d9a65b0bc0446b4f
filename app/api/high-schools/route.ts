import { createRoutes } from '@/server/http/routes'
import { listHighSchools } from '@/server/leads/high-schools'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/high-schools', { GET: listHighSchools })
