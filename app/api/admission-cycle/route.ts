import { changeAdmissionCycle, getAdmissionCycle } from '@/server/access/settings'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/admission-cycle', {
  GET: getAdmissionCycle,
  PUT: changeAdmissionCycle,
})
