import { routes } from '@/server/http/routes'
import { changeProtection, liftProtection } from '@/server/privacy/protect'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/protections/[id]', {
  PATCH: changeProtection,
  DELETE: liftProtection,
})
