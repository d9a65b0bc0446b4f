import { route } from '@/server/http/route'
import { listPeople } from '@/server/users/people'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:triage' }, ({ services, viewer }) => listPeople(services, viewer))
