import { newPasskeySchema } from '@/lib/contract/second-factor'
import { addPasskey } from '@/server/access/enrol-factors'
import { challengeOf } from '@/server/access/passkey-challenge'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const POST = route(
  { permission: 'signed-in', body: newPasskeySchema, proof: true, enrolling: true },
  ({ services, viewer, body, request }) =>
    addPasskey(services, viewer, body, challengeOf(services, 'registration', request)),
)
