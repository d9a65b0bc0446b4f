import { route } from '@/server/http/route'
import { getStatus } from '@/server/status/get-status'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'interest:read' }, ({ viewer }) => getStatus(viewer))
