import { confirmTotpSchema } from '@/lib/contract/second-factor'
import { confirmTotp } from '@/server/access/enrol-factors'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const POST = route(
  { permission: 'signed-in', body: confirmTotpSchema, proof: true, enrolling: true },
  ({ services, viewer, body }) => confirmTotp(services, viewer, body),
)
