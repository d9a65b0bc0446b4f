import { endOwnSession } from '@/server/access/own-sessions'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/account/sessions/[id]', {
  DELETE: endOwnSession,
})
