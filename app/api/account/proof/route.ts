import { proofSchema } from '@/lib/contract/second-factor'
import { challengeOf } from '@/server/access/passkey-challenge'
import { giveProof, waysToProve } from '@/server/access/step-up'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'signed-in', enrolling: true }, ({ services, viewer, session }) =>
  waysToProve(services, viewer, session),
)

export const POST = route(
  { permission: 'signed-in', body: proofSchema, enrolling: true },
  async ({ services, viewer, session, body, request }) => {
    await giveProof(services, viewer, session, body, challengeOf(services, 'assertion', request))
    return {}
  },
)
