import { z } from 'zod'
import { userChangeSchema } from '@/lib/contract/user'
import { route } from '@/server/http/route'
import { changeUser } from '@/server/users/administration'

export * from '@/server/http/other-methods'

const params = z.object({ id: z.string().max(100) })

export const PATCH = route(
  { permission: 'admin', params, body: userChangeSchema, proof: true },
  ({ services, viewer, params: { id }, body }) => changeUser(services, viewer, id, body),
)
