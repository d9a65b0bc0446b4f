import { routes } from '@/server/http/routes'
import { createUser, listUsers } from '@/server/users/administration'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/users', { GET: listUsers, POST: createUser })
