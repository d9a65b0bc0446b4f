import { createRoutes } from '@/server/http/routes'
import { getHighSchool } from '@/server/leads/high-schools'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/high-schools/[id]', { GET: getHighSchool })
