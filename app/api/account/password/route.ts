import { changeOwnPassword } from '@/server/access/passwords'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/account/password', {
  POST: changeOwnPassword,
})
