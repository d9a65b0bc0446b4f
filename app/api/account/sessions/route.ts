import { endOwnSessions, listOwnSessions } from '@/server/access/own-sessions'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/account/sessions', {
  GET: listOwnSessions,
  DELETE: endOwnSessions,
})
