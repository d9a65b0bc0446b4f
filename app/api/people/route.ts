import { route } from '@/server/http/route'
import { listPeople } from '@/server/users/list-people'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:triage' }, ({ viewer }) => listPeople(viewer))
