import { createRoutes } from '@/server/http/routes'
import { unlinkIdentity } from '@/server/access/manage-users'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/users/[id]/identities', { DELETE: unlinkIdentity })
