import { peopleQuerySchema } from '@/lib/contract/user'
import { route } from '@/server/http/route'
import { listPeople } from '@/server/users/people'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:triage', query: peopleQuerySchema }, ({ services, viewer, query }) =>
  listPeople(services, viewer, query),
)
