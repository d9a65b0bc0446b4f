import { unusualReading } from '@/server/activity/reading-question'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'admin' }, ({ services, viewer }) => unusualReading(services, viewer))
