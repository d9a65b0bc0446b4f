import { createRoutes } from '@/server/http/routes'
import { changeUser } from '@/server/access/manage-users'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/users/[id]', { PATCH: changeUser })
