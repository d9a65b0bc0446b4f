import { createRoutes } from '@/server/http/routes'
import { listProtections, protectPerson } from '@/server/privacy/protect'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/protections', {
  GET: listProtections,
  POST: protectPerson,
})
