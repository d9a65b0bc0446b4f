import { routes } from '@/server/http/routes'
import { getInterest } from '@/server/interest/interest'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/interest', { GET: getInterest })
