import 'server-only'
import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { withCallerAddress } from '@/server/base/request-context'
import type { Env } from '@/server/base/env'
import { NotReadyError, TooManyTriesError } from '@/server/base/errors'
import { addressOf } from './front-door'
import { readText } from './input'
import type { Services } from '@/server/base/services'
import { callerNetwork } from '@/server/access/address'
import type { UserAnnouncer } from '@/server/access/command'
import { ALGORITHMS } from '@/server/access/oidc-provider'
import type { ProviderCheck } from '@/server/access/provider-check'
import { MAX_FORM_BYTES } from '@/server/access/sign-in'

export type BackChannelParts = Pick<
  Services,
  'connect' | 'now' | 'sessions' | 'identities' | 'activity' | 'throttle'
> & {
  env: Pick<Env, 'oidc'>
  providerCheck: Pick<ProviderCheck, 'metadata' | 'keys'> | null
  announcer: UserAnnouncer
}

/** Below next-auth's own routes. */
export const BACK_CHANNEL = 'backchannel-logout'
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const MAX_AGE_SECONDS = 300
const CLOCK_TOLERANCE_SECONDS = 60
const RETRY_AFTER_SECONDS = 60

/** OpenID Connect Back-Channel Logout 1.0. No browser and no cookie is involved; the signature is the proof. */
export async function backChannelLogout(parts: BackChannelParts, request: Request): Promise<Response> {
  const address = addressOf(request)
  const tokens = new URLSearchParams(await readText(request, MAX_FORM_BYTES)).getAll('logout_token')
  const logout = tokens.length === 1 ? await verifyLogoutToken(parts, tokens[0] ?? '') : null
  // Valid tokens are never counted: others may share the provider's address.
  if (logout === null) {
    const key = { kind: 'address', value: `logout ${callerNetwork(address)}` } as const
    const locked = parts.throttle.cachedLock(key) ?? (await parts.throttle.countTry(key))
    if (locked) throw new TooManyTriesError(locked.retryAfterSeconds)
  }
  const isAccepted = logout !== null && (await withCallerAddress(address, () => endSessions(parts, logout)))
  const headers = { 'cache-control': 'no-store' }
  if (isAccepted) return new Response(null, { headers })
  return Response.json({ error: 'invalid_request' }, { status: 400, headers })
}

type Logout = { issuer: string; subject: string | null; sid: string | null; issuedAt: number; id: string }

/** Section 2.6; null for an invalid token. `NotReadyError` while the provider's keys cannot be read. */
async function verifyLogoutToken({ env, providerCheck, now }: BackChannelParts, token: string): Promise<Logout | null> {
  if (!env.oidc || !providerCheck) return null
  const { issuer, id_token_signing_alg_values_supported: supported } = await providerCheck.metadata().catch(() => {
    throw new NotReadyError('The provider’s keys cannot be read', RETRY_AFTER_SECONDS)
  })
  const options = {
    issuer,
    audience: env.oidc.clientId,
    algorithms: supported.filter((alg) => ALGORITHMS.has(alg)),
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    maxTokenAge: MAX_AGE_SECONDS,
    currentDate: new Date(now()),
  }
  const verify = async (refresh: boolean) =>
    logoutFrom((await jwtVerify(token, createLocalJWKSet(await providerCheck.keys({ refresh })), options)).payload)
  try {
    return await verify(false).catch((error: unknown) => {
      if (error instanceof errors.JWKSNoMatchingKey) return verify(true)
      throw error
    })
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/** `jwtVerify` has required the issuer. */
function logoutFrom({ iss: issuer = '', sub, sid, iat: issuedAt, jti, events, nonce }: JWTPayload): Logout | null {
  const event: unknown = typeof events === 'object' && events !== null ? Reflect.get(events, EVENT) : null
  const isLogout = typeof event === 'object' && event !== null && nonce === undefined
  const [id, subject, session] = [textOf(jti), textOf(sub), textOf(sid)]
  const namesNoSubject = subject === null && session === null
  if (!isLogout || namesNoSubject || id === null || issuedAt === undefined) return null
  return { issuer, subject, sid: session, issuedAt, id }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** False for a token that was used before, on any instance. It is marked as used in the same transaction. */
async function endSessions(parts: BackChannelParts, { issuer, subject, sid, issuedAt, id }: Logout): Promise<boolean> {
  const { connect, throttle, sessions, identities, activity, announcer } = parts
  // Without a session id, an old token must not end a newer session.
  const before = new Date((issuedAt + CLOCK_TOLERANCE_SECONDS) * 1000)
  const database = await connect()
  const signedOut = await database.transaction(async (tx) => {
    if (!(await throttle.markUsed(tx, `logout ${issuer} ${id}`))) return null
    const userId = subject === null ? null : await identities.find(tx, { issuer, subject })
    const owners = await sessions.endAtProvider(tx, { sid, userId, before })
    const users = new Set(owners)
    for (const user of users) {
      const details = { user, count: owners.filter((owner) => owner === user).length, with: 'oidc' }
      await activity.recordIn(tx, { userId: user, action: 'sessions-ended', details })
    }
    return users
  })
  for (const user of signedOut ?? []) await announcer.userChanged(user)
  return signedOut !== null
}
