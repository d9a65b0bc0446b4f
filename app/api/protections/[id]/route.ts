import { serve } from '@/server/http/routes'
import { changeProtection, liftProtection } from '@/server/privacy/protections'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/protections/[id]', {
  PATCH: changeProtection,
  DELETE: liftProtection,
})
