import { routes } from '@/server/http/routes'
import { createUser, listUsers } from '@/server/access/administration'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/users', { GET: listUsers, POST: createUser })
