import { newUserSchema } from '@/lib/contract/user'
import { route } from '@/server/http/route'
import { createUser, listUsers } from '@/server/users/administration'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'admin' }, async ({ services, viewer }) => ({
  users: await listUsers(services, viewer),
}))

export const POST = route({ permission: 'admin', body: newUserSchema, proof: true }, ({ services, viewer, body }) =>
  createUser(services, viewer, body),
)
