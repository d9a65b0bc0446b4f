import { ownLeaveSchema } from '@/lib/contract/work-settings'
import { route } from '@/server/http/route'
import { getOwnLeave, setOwnLeave } from '@/server/settings/leave'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:triage' }, ({ services, viewer }) => getOwnLeave(services, viewer))

export const PUT = route({ permission: 'leads:triage', body: ownLeaveSchema }, ({ services, viewer, body }) =>
  setOwnLeave(services, viewer, body),
)
