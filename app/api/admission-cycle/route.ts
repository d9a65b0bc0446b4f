import { admissionCycleSchema } from '@/lib/contract/admission-cycle'
import { route } from '@/server/http/route'
import { changeAdmissionCycle, getAdmissionCycle } from '@/server/settings/admission-cycle'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'interest:read' }, ({ viewer }) => getAdmissionCycle(viewer))

export const PUT = route({ permission: 'admin', body: admissionCycleSchema }, ({ viewer, body }) =>
  changeAdmissionCycle(viewer, body),
)
