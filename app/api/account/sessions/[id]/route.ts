import { endOwnSession } from '@/server/access/sessions'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/account/sessions/[id]', {
  DELETE: endOwnSession,
})
