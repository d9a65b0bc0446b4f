import { routes } from '@/server/http/routes'
import { listProtections, protectPerson } from '@/server/privacy/protect'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/protections', {
  GET: listProtections,
  POST: protectPerson,
})
