import { beginTotp } from '@/server/access/second-factors'
import { serve } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/account/second-factors/totp', { POST: beginTotp })
