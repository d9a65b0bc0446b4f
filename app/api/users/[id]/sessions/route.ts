import { endSessionsOf } from '@/server/access/administration'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/users/[id]/sessions', { DELETE: endSessionsOf })
