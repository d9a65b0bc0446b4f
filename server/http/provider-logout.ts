import { and, eq } from 'drizzle-orm'
import { jwtVerify } from 'jose'
import { z } from 'zod'
import { ID_TOKEN_ALGORITHM } from '@/server/access/provider-discovery'
import { readSession } from '@/server/access/session-cookie'
import { users } from '@/server/base/schema'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import { MAX_ANONYMOUS_BODY_BYTES, readBodyText } from './input'

/** The provider posts logout tokens to this path below `/api/auth`. */
export const BACK_CHANNEL_PATH = 'backchannel-logout'
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

const optionalText = z.string().min(1).optional()
const logoutSchema = z
  .object({
    iss: z.string(),
    sub: optionalText,
    sid: optionalText,
    events: z.object({ [LOGOUT_EVENT]: z.looseObject({}) }),
    /** A nonce marks an ID token, which must not pass as a logout token (Back-Channel Logout 1.0, 2.4). */
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)

/** Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0). */
export async function handleBackChannelLogout(services: Services, request: Request): Promise<Response> {
  const { connect, sessions, activity, announcer, logger } = services
  const headers = { 'cache-control': 'no-store' }
  const form = new URLSearchParams(await readBodyText(request, MAX_ANONYMOUS_BODY_BYTES))
  const logout = await readLogoutToken(services, form.get('logout_token') ?? '').catch((err: unknown) => {
    // A refused token leaves users signed in, as while the provider's keys cannot be read, so it is logged.
    logger.warn({ err }, 'a logout token was refused')
    return null
  })
  if (logout === null) return Response.json({ error: 'invalid_request' }, { status: 400, headers })
  const { iss, sub, sid = null } = logout
  const db = await connect()
  const signedOutUserId = await db.transaction(async (tx) => {
    // `sub` may be missing, and no user has an empty subject.
    const ownerCondition = and(eq(users.issuer, iss), eq(users.subject, sub ?? ''))
    const [owner] = await tx.select({ id: users.id }).from(users).where(ownerCondition)
    const endedUserIds = await sessions.endProviderSessions(tx, { sid, userId: owner?.id ?? null })
    const [userId] = endedUserIds
    if (userId === undefined) return null
    const details = { user: userId, count: endedUserIds.length, with: 'oidc' }
    await activity.recordIn(tx, { userId, action: 'sessions-ended', details })
    return userId
  })
  if (signedOutUserId !== null) await announcer.announceUser(signedOutUserId)
  return new Response(null, { headers })
}

/** Returns null without single sign-on. Throws if the token is older than 5 minutes or no logout for this client. */
async function readLogoutToken({ env, providerDiscovery }: Services, token: string) {
  if (!env.oidc || !providerDiscovery) return null
  const { issuer, keys } = await providerDiscovery.getMetadata()
  const checks = { issuer, audience: env.oidc.clientId, algorithms: [ID_TOKEN_ALGORITHM] }
  const { payload } = await jwtVerify(token, keys, { ...checks, maxTokenAge: '5 minutes', clockTolerance: '1 minute' })
  return logoutSchema.parse(payload)
}

/** Finds where to sign out at the provider (OpenID Connect RP-Initiated Logout 1.0), if our page's form asks for it. */
export async function findSignOutUrl(services: Services, request: Request): Promise<string | null> {
  const { env, providerDiscovery, seal, sessions } = services
  // Without `json` next-auth redirects, and there is no body to which the URL could be added.
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
