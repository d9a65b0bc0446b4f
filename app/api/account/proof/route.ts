import { proveIdentity } from '@/server/access/step-up'
import { serve } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/account/proof', { POST: proveIdentity })
