import { createRoutes } from '@/server/http/routes'
import { changeProtection, liftProtection } from '@/server/privacy/protections'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/protections/[id]', {
  PATCH: changeProtection,
  DELETE: liftProtection,
})
