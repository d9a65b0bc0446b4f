import { route } from '@/server/http/route'
import { feedReport } from '@/server/operations/status'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'admin' }, ({ services, viewer }) => feedReport(services, viewer))
