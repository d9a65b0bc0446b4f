import { and, eq } from 'drizzle-orm'
import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { readSession } from '@/server/access/session-cookie'
import { NotReadyError } from '@/server/base/errors'
import { users } from '@/server/base/schema'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import { MAX_ANONYMOUS_BODY_BYTES, readBodyText } from './input'

/** Finds where to sign out at the provider (OpenID Connect RP-Initiated Logout 1.0), if our page's form asks for it. */
export async function findSignOutUrl(services: Services, request: Request): Promise<string | null> {
  const { env, providerDiscovery, seal, sessions } = services
  const form = new URLSearchParams(await request.clone().text())
  if (form.get('provider') !== 'true' || form.get('json') !== 'true') return null
  const cookieSession = await readSession(request, env)
  const session = cookieSession && (await sessions.find(cookieSession.id))?.session
  if (session?.method !== 'oidc' || session.userId !== cookieSession?.userId) return null
  if (!env.oidc || !providerDiscovery) return null
  const metadata = await providerDiscovery.getMetadata().catch(() => null)
  if (metadata?.end_session_endpoint === undefined) return null
  const { id, sealedIdToken } = session
  const hint = sealedIdToken === null ? null : seal.decrypt(sealedIdToken, sealContext.idToken(id))
  const url = new URL(metadata.end_session_endpoint)
  if (hint !== null) url.searchParams.set('id_token_hint', hint)
  url.searchParams.set('client_id', env.oidc.clientId)
  url.searchParams.set('post_logout_redirect_uri', `${env.auth.url}/signin?signedOut`)
  return url.href
}

/** The provider posts logout tokens to this path below `/api/auth`. */
export const BACK_CHANNEL_PATH = 'backchannel-logout'
const MAX_TOKEN_AGE_SECONDS = 300
const CLOCK_TOLERANCE_SECONDS = 60

const nonEmptyText = z.string().min(1).optional()
const logoutSchema = z
  .object({ iss: z.string(), iat: z.number(), sub: nonEmptyText, sid: nonEmptyText, nonce: z.never().optional() })
  .extend({ events: z.object({ 'http://schemas.openid.net/event/backchannel-logout': z.looseObject({}) }) })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)

/** Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0). */
export async function handleBackChannelLogout(services: Services, request: Request): Promise<Response> {
  const { env, providerDiscovery, now, connect, sessions, activity, announcer } = services
  const headers = { 'cache-control': 'no-store' }
  const refuse = () => Response.json({ error: 'invalid_request' }, { status: 400, headers })
  const token = new URLSearchParams(await readBodyText(request, MAX_ANONYMOUS_BODY_BYTES)).get('logout_token') ?? ''
  if (!env.oidc || !providerDiscovery) return refuse()
  const { issuer, algorithm, keys } = await providerDiscovery.getMetadata().catch(() => {
    throw new NotReadyError('The provider’s keys cannot be read', 60)
  })
  const expected = { issuer, audience: env.oidc.clientId, algorithms: [algorithm], currentDate: new Date(now()) }
  const age = { maxTokenAge: MAX_TOKEN_AGE_SECONDS, clockTolerance: CLOCK_TOLERANCE_SECONDS }
  const verified = await jwtVerify(token, keys, { ...expected, ...age }).catch((error: unknown) => {
    if (error instanceof errors.JOSEError) return null
    throw error
  })
  const logout = logoutSchema.safeParse(verified?.payload).data
  if (logout === undefined) return refuse()
  const { iss, iat, sub, sid = null } = logout
  // The provider's clock may be behind.
  const before = new Date((iat + CLOCK_TOLERANCE_SECONDS) * 1000)
  const db = await connect()
  const signedOut = await db.transaction(async (tx) => {
    const isSubject = and(eq(users.issuer, iss), eq(users.subject, sub ?? ''))
    const [user] = await tx.select({ id: users.id }).from(users).where(isSubject)
    const owners = await sessions.endProviderSessions(tx, { sid, userId: user?.id ?? null, before })
    const counts = new Map<string, number>()
    for (const userId of owners) counts.set(userId, (counts.get(userId) ?? 0) + 1)
    for (const [userId, count] of counts)
      await activity.recordIn(tx, { userId, action: 'sessions-ended', details: { user: userId, count, with: 'oidc' } })
    return counts.keys()
  })
  for (const userId of signedOut) await announcer.announceUser(userId)
  return new Response(null, { headers })
}
