import { admissionCycleSchema } from '@/lib/contract/admission-cycle'
import { route } from '@/server/http/route'
import { changeAdmissionCycle, getAdmissionCycle } from '@/server/settings/settings'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'interest:read' }, ({ services, viewer }) => getAdmissionCycle(services, viewer))

export const PUT = route({ permission: 'admin', body: admissionCycleSchema }, ({ services, viewer, body }) =>
  changeAdmissionCycle(services, viewer, body),
)
