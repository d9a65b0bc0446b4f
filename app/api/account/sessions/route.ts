import { endOtherSessions, listOwnSessions } from '@/server/access/own-sessions'
import { serve } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/account/sessions', {
  GET: listOwnSessions,
  DELETE: endOtherSessions,
})
