import { routes } from '@/server/http/routes'
import { listPeople } from '@/server/users/people'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/people', { GET: listPeople })
