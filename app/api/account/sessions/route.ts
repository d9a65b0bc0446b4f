import { endOwnSessions, listOwnSessions } from '@/server/access/sessions'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/account/sessions', {
  GET: listOwnSessions,
  DELETE: endOwnSessions,
})
