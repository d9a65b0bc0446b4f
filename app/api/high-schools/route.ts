import { routes } from '@/server/http/routes'
import { listHighSchools } from '@/server/leads/high-schools'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/high-schools', { GET: listHighSchools })
