import { route } from '@/server/http/route'
import { getStatus } from '@/server/status/get-status'

export const GET = route({ permission: 'interest:read' }, ({ viewer }) => getStatus(viewer))
