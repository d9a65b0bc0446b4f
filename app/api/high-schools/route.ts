import { listHighSchools } from '@/server/high-schools/list-high-schools'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'interest:read' }, ({ viewer }) => listHighSchools(viewer))
