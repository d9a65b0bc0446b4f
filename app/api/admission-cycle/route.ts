import { createRoutes } from '@/server/http/routes'
import { changeAdmissionCycle, getAdmissionCycle } from '@/server/access/settings'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/admission-cycle', {
  GET: getAdmissionCycle,
  PUT: changeAdmissionCycle,
})
