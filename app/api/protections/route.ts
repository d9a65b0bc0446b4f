import { serve } from '@/server/http/routes'
import { listProtections, protectPerson } from '@/server/privacy/protections'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/protections', {
  GET: listProtections,
  POST: protectPerson,
})
