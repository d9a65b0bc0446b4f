import { createRoutes } from '@/server/http/routes'
import { createUser, listUsers } from '@/server/access/manage-users'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/users', { GET: listUsers, POST: createUser })
