import { routes } from '@/server/http/routes'
import { unbindUser } from '@/server/access/administration'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/users/[id]/identities', { DELETE: unbindUser })
