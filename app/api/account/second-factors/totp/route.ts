import { newTotpSchema } from '@/lib/contract/second-factor'
import { beginTotp } from '@/server/access/enrol-factors'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const POST = route(
  { permission: 'signed-in', body: newTotpSchema, proof: true, enrolling: true },
  ({ services, viewer, body: { name } }) => beginTotp(services, viewer, name),
)
