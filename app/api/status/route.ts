import { route } from '@/server/http/route'
import { getStatus } from '@/server/operations/status'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'interest:read' }, ({ services, viewer }) => getStatus(services, viewer))
