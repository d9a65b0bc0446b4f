import { confirmTotp } from '@/server/access/second-factors'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/account/second-factors/totp/confirm', {
  POST: confirmTotp,
})
