import { route } from '@/server/http/route'
import { feedReport } from '@/server/status/feed-report'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'admin' }, ({ viewer }) => feedReport(viewer))
