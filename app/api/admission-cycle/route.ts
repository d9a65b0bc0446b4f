import { changeAdmissionCycle, getAdmissionCycle } from '@/server/access/settings'
import { serve } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/admission-cycle', {
  GET: getAdmissionCycle,
  PUT: changeAdmissionCycle,
})
