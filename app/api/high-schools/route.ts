import { listHighSchools } from '@/server/high-schools/list-high-schools'
import { route } from '@/server/http/route'

export const GET = route({ permission: 'interest:read' }, ({ viewer }) => listHighSchools(viewer))
