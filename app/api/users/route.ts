import { newUserSchema } from '@/lib/contract/user'
import { route } from '@/server/http/route'
import { createUser } from '@/server/users/create-user'
import { listUsers } from '@/server/users/list-users'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'admin' }, async ({ viewer }) => ({ users: await listUsers(viewer) }))

export const POST = route({ permission: 'admin', body: newUserSchema }, ({ viewer, body }) => createUser(viewer, body))
