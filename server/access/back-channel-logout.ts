import 'server-only'
import { createLocalJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { withCallerAddress } from '@/server/activity/request-context'
import type { Env } from '@/server/env'
import { NotReadyError, TooManyTriesError } from '@/server/errors'
import { addressOf } from '@/server/http/front-door'
import { readText } from '@/server/http/input'
import type { Services } from '@/server/services'
import { callerNetwork } from './address'
import type { PersonAnnouncer } from './command'
import { ALGORITHMS } from './oidc-provider'
import type { ProviderCheck } from './provider-check'
import { LIMIT_BYTES } from './sign-in'

export type BackChannelParts = Pick<
  Services,
  'connect' | 'now' | 'sessions' | 'identities' | 'activity' | 'throttle'
> & {
  env: Pick<Env, 'oidc'>
  providerCheck: Pick<ProviderCheck, 'metadata' | 'keys'> | null
  announcer: PersonAnnouncer
}

export const BACK_CHANNEL = 'backchannel-logout'
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const MAX_AGE_SECONDS = 300
const CLOCK_TOLERANCE_SECONDS = 60
const RETRY_SECONDS = 60

/** OpenID Connect Back-Channel Logout 1.0. No browser and no cookie is involved; the signature is the proof. */
export async function backChannelLogout(parts: BackChannelParts, request: Request): Promise<Response> {
  const address = addressOf(request)
  const tokens = new URLSearchParams(await readText(request, LIMIT_BYTES)).getAll('logout_token')
  const logout = tokens.length === 1 ? await verifyLogoutToken(parts, tokens[0] ?? '') : null
  if (logout === null) await countInvalid(parts, address)
  const isDone = logout !== null && (await withCallerAddress(address, () => endSessions(parts, logout)))
  const headers = { 'cache-control': 'no-store' }
  if (isDone) return new Response(null, { headers })
  return Response.json({ error: 'invalid_request' }, { status: 400, headers })
}

/** `TooManyTriesError` after many. Valid tokens are never counted: others may share the provider's address. */
async function countInvalid({ throttle }: BackChannelParts, address: string): Promise<void> {
  const place = { kind: 'address', value: `logout ${callerNetwork(address)}` } as const
  const locked = throttle.cachedLock(place) ?? (await throttle.begin(place))
  if (locked) throw new TooManyTriesError(locked.retryAfterSeconds)
}

type Logout = { issuer: string; subject: string | null; sid: string | null; issuedAt: number; id: string }

/** Section 2.6; null for an invalid token. `NotReadyError` while the provider's keys cannot be read. */
async function verifyLogoutToken({ env, providerCheck, now }: BackChannelParts, token: string): Promise<Logout | null> {
  if (!env.oidc || !providerCheck) return null
  const { issuer, id_token_signing_alg_values_supported: named } = await providerCheck.metadata().catch(() => {
    throw new NotReadyError('The provider cannot be asked for its keys', RETRY_SECONDS)
  })
  const terms = {
    issuer,
    audience: env.oidc.clientId,
    algorithms: named.filter((alg) => ALGORITHMS.has(alg)),
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    maxTokenAge: MAX_AGE_SECONDS,
    currentDate: new Date(now()),
  }
  const check = async (refresh: boolean) =>
    logoutIn((await jwtVerify(token, createLocalJWKSet(await providerCheck.keys({ refresh })), terms)).payload)
  try {
    return await check(false).catch((error: unknown) => {
      if (error instanceof errors.JWKSNoMatchingKey) return check(true)
      throw error
    })
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

function logoutIn({ iss: issuer = '', sub, sid, iat: issuedAt, jti, events, nonce }: JWTPayload): Logout | null {
  const event: unknown = typeof events === 'object' && events !== null ? Reflect.get(events, EVENT) : null
  const isLogout = typeof event === 'object' && event !== null && nonce === undefined
  const [id, subject, session] = [textOf(jti), textOf(sub), textOf(sid)]
  const isAboutNobody = subject === null && session === null
  if (!isLogout || isAboutNobody || id === null || issuedAt === undefined) return null
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
  const ended = await database.transaction(async (tx) => {
    if (!(await throttle.useOnce(tx, `logout ${issuer} ${id}`))) return null
    const userId = subject === null ? null : await identities.find(tx, { issuer, subject })
    const users = await sessions.endAtProvider(tx, { sid, userId, before })
    const people = new Set(users)
    for (const user of people) {
      const details = { user, count: users.filter((each) => each === user).length, with: 'oidc' }
      await activity.recordIn(tx, { userId: user, action: 'sessions-ended', details })
    }
    return people
  })
  for (const person of ended ?? []) await announcer.person(person)
  return ended !== null
}
