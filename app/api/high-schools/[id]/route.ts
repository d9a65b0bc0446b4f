import { routes } from '@/server/http/routes'
import { getHighSchool } from '@/server/leads/high-schools'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/high-schools/[id]', { GET: getHighSchool })
