import { routes } from '@/server/http/routes'
import { listPeople } from '@/server/access/users'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/people', { GET: listPeople })
