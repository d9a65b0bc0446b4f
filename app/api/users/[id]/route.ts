import { createRoutes } from '@/server/http/routes'
import { changeUser } from '@/server/access/administration'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/users/[id]', { PATCH: changeUser })
