import { and, eq } from 'drizzle-orm'
import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { NotReadyError } from '@/server/base/errors'
import { users } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { MAX_ANONYMOUS_BODY_BYTES, readBodyText } from './input'

/** The provider posts logout tokens to this path below `/api/auth`. */
export const BACK_CHANNEL_PATH = 'backchannel-logout'
const MAX_TOKEN_AGE_SECONDS = 300
const CLOCK_TOLERANCE_SECONDS = 60
const KEYS_RETRY_SECONDS = 60

const optionalText = z.string().min(1).optional()
const logoutSchema = z
  .object({
    iss: z.string(),
    iat: z.number(),
    sub: optionalText,
    sid: optionalText,
    events: z.object({ 'http://schemas.openid.net/event/backchannel-logout': z.looseObject({}) }),
    /** A nonce marks an ID token, which is not to be accepted here (section 2.4). */
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)

/** Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0). */
export async function handleBackChannelLogout(services: Services, request: Request): Promise<Response> {
  const { env, providerDiscovery, now, connect, sessions, activity, announcer } = services
  const headers = { 'cache-control': 'no-store' }
  const refuse = () => Response.json({ error: 'invalid_request' }, { status: 400, headers })
  const token = new URLSearchParams(await readBodyText(request, MAX_ANONYMOUS_BODY_BYTES)).get('logout_token') ?? ''
  if (!env.oidc || !providerDiscovery) return refuse()
  const { issuer, algorithm, keys } = await providerDiscovery.getMetadata().catch(throwKeysUnreadable)
  const checks = { issuer, audience: env.oidc.clientId, algorithms: [algorithm], currentDate: new Date(now()) }
  const ageLimits = { maxTokenAge: MAX_TOKEN_AGE_SECONDS, clockTolerance: CLOCK_TOLERANCE_SECONDS }
  const verifiedToken = await jwtVerify(token, keys, { ...checks, ...ageLimits }).catch((error: unknown) => {
    if (!(error instanceof errors.JOSEError)) throw error
    return KEY_SET_FAULTS.has(error.code) ? throwKeysUnreadable() : null
  })
  const logout = logoutSchema.safeParse(verifiedToken?.payload).data
  if (logout === undefined) return refuse()
  const { iss, iat, sub, sid = null } = logout
  // Sessions up to a minute younger than the token end too, because the provider's clock may be behind.
  const createdUntil = new Date((iat + CLOCK_TOLERANCE_SECONDS) * 1000)
  const db = await connect()
  const signedOutIds = await db.transaction(async (tx) => {
    // `sub` may be missing, and no user has an empty subject.
    const ownerCondition = and(eq(users.issuer, iss), eq(users.subject, sub ?? ''))
    const [user] = await tx.select({ id: users.id }).from(users).where(ownerCondition)
    const userIds = await sessions.endProviderSessions(tx, { sid, userId: user?.id ?? null, createdUntil })
    const countByUser = new Map<string, number>()
    for (const userId of userIds) countByUser.set(userId, (countByUser.get(userId) ?? 0) + 1)
    for (const [userId, count] of countByUser)
      await activity.recordIn(tx, { userId, action: 'sessions-ended', details: { user: userId, count, with: 'oidc' } })
    return countByUser.keys()
  })
  for (const userId of signedOutIds) await announcer.announceUser(userId)
  return new Response(null, { headers })
}

/** jose's codes for keys that come late, with another status than 200, or not as a key set. */
const KEY_SET_FAULTS = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID'])

function throwKeysUnreadable(): never {
  throw new NotReadyError('The provider’s keys cannot be read', KEYS_RETRY_SECONDS)
}
