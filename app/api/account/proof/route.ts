import { proveIdentity } from '@/server/access/step-up'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/account/proof', { POST: proveIdentity })
