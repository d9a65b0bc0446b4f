import { routes } from '@/server/http/routes'
import { changeProtection, liftProtection } from '@/server/rights/protect'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/protections/[id]', {
  PATCH: changeProtection,
  DELETE: liftProtection,
})
