import { routes } from '@/server/http/routes'
import { listProtections } from '@/server/rights/list-protections'
import { protectPerson } from '@/server/rights/protect'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/protections', {
  GET: listProtections,
  POST: protectPerson,
})
