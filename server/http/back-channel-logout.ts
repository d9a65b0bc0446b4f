import 'server-only'
import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { withCallerAddress } from '@/server/base/request-context'
import { NotReadyError } from '@/server/base/errors'
import { MAX_FORM_BYTES } from '@/server/access/sign-in'
import type { Services } from '@/server/base/services'
import { addressOf } from './front-door'
import { readText } from './input'

/** Below next-auth's own routes. */
export const BACK_CHANNEL = 'backchannel-logout'
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const MAX_AGE_SECONDS = 300
const CLOCK_TOLERANCE_SECONDS = 60
const RETRY_AFTER_SECONDS = 60

/** OpenID Connect Back-Channel Logout 1.0. No browser and no cookie is involved; the signature is the proof. */
export async function backChannelLogout(services: Services, request: Request): Promise<Response> {
  const headers = { 'cache-control': 'no-store' }
  const token = new URLSearchParams(await readText(request, MAX_FORM_BYTES)).get('logout_token') ?? ''
  const logout = await verifyLogoutToken(services, token)
  if (logout === null) return Response.json({ error: 'invalid_request' }, { status: 400, headers })
  await withCallerAddress(addressOf(request), () => endSessions(services, logout))
  return new Response(null, { headers })
}

const named = z.string().min(1).optional()
const logoutSchema = z
  .object({ iss: z.string(), iat: z.number(), sub: named, sid: named, nonce: z.never().optional() })
  .extend({ events: z.object({ [EVENT]: z.looseObject({}) }) })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)

/** Section 2.6; null for an invalid token. `NotReadyError` while the provider cannot be asked for its keys. */
async function verifyLogoutToken({ env: { oidc }, providerCheck, now }: Services, token: string) {
  if (!oidc || !providerCheck) return null
  const { issuer, algorithm, keys } = await providerCheck.metadata().catch(() => {
    throw new NotReadyError('The provider’s keys cannot be read', RETRY_AFTER_SECONDS)
  })
  const terms = { issuer, audience: oidc.clientId, algorithms: [algorithm], currentDate: new Date(now()) }
  const age = { maxTokenAge: MAX_AGE_SECONDS, clockTolerance: CLOCK_TOLERANCE_SECONDS }
  try {
    return logoutSchema.safeParse((await jwtVerify(token, keys, { ...terms, ...age })).payload).data ?? null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/** A token that comes twice ends nothing new: without a session's id only what had begun before it was issued. */
type Logout = z.infer<typeof logoutSchema>

async function endSessions(services: Services, { iss, sub, sid, iat }: Logout): Promise<void> {
  const { connect, sessions, identities, activity, announcer } = services
  const before = new Date((iat + CLOCK_TOLERANCE_SECONDS) * 1000)
  const users = await (
    await connect()
  ).transaction(async (tx) => {
    const userId = sub === undefined ? null : await identities.find(tx, iss, [sub])
    const owners = await sessions.endAtProvider(tx, { sid: sid ?? null, userId, before })
    for (const user of new Set(owners)) {
      const details = { user, count: owners.filter((owner) => owner === user).length, with: 'oidc' }
      await activity.recordIn(tx, { userId: user, action: 'sessions-ended', details })
    }
    return new Set(owners)
  })
  for (const user of users) await announcer.userChanged(user)
}
