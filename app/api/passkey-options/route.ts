import { challengeCookie } from '@/server/access/passkey-challenge'
import { jsonResponse } from '@/server/http/responses'
import { publicRoute } from '@/server/http/route'

export * from '@/server/http/other-methods'

/** The same for everybody, signed in or not: a challenge, and no key by name. */
export const POST = publicRoute({}, async ({ services }) => {
  const options = await services.passkeys.askForOne()
  return jsonResponse(options, 200, { 'set-cookie': challengeCookie(services, 'assertion', options.challenge) })
})
