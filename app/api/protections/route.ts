import { createRoutes } from '@/server/http/routes'
import { listProtections, protectPerson } from '@/server/privacy/protections'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/protections', {
  GET: listProtections,
  POST: protectPerson,
})
