import { passwordChangeSchema } from '@/lib/contract/user'
import { changeOwnPassword } from '@/server/access/own-password'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const POST = route(
  { permission: 'signed-in', body: passwordChangeSchema, enrolling: true },
  async ({ services, viewer, session, body }) => {
    await changeOwnPassword(services, viewer, session, body)
    return {}
  },
)
