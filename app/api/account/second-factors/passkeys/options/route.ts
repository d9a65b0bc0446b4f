import { offerPasskey } from '@/server/access/enrol-factors'
import { challengeCookie } from '@/server/access/passkey-challenge'
import { jsonResponse } from '@/server/http/responses'
import { route } from '@/server/http/route'

export * from '@/server/http/other-methods'

export const POST = route({ permission: 'signed-in', proof: true, enrolling: true }, async ({ services, viewer }) => {
  const options = await offerPasskey(services, viewer)
  const cookie = challengeCookie(services, 'registration', options.challenge)
  return jsonResponse(options, 200, { 'set-cookie': cookie })
})
