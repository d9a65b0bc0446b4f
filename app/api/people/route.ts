import { routes } from '@/server/http/routes'
import { listPeople } from '@/server/users/users'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/people', { GET: listPeople })
