import { listHighSchools } from '@/server/leads/high-schools'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'interest:read' }, ({ services, viewer }) => listHighSchools(services, viewer))
