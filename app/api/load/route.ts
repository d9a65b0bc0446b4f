import { getLoad } from '@/server/desk/load'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/load', { GET: getLoad })
