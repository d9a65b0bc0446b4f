import { invitationAnswerSchema } from '@/lib/contract/user'
import { publicRoute } from '@/server/http/route'
import { acceptInvitation } from '@/server/users/invitations'

export * from '@/server/http/other-methods'

/** The token is the proof; there is no session yet. */
export const POST = publicRoute({ body: invitationAnswerSchema }, async ({ services, body }) => {
  await acceptInvitation(services, body)
  return {}
})
