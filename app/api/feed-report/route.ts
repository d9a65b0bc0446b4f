import { route } from '@/server/http/route'
import { feedReport } from '@/server/status/feed-report'

export const GET = route({ permission: 'admin' }, ({ viewer }) => feedReport(viewer))
