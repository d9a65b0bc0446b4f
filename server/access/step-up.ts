import 'server-only'
import type { GivenProof, ProofWaysAnswer } from '@/lib/contract/account'
import type { Env } from '@/server/base/env'
import {
  ConflictError,
  ReauthenticationError,
  TooManyTriesError,
  UnauthenticatedError,
  WrongProofError,
} from '@/server/base/errors'
import type { Settings } from './settings'
import type { Users } from './users'
import type { Activity } from './activity'
import type { UserAnnouncer } from './command'
import { secretOf, type SecondFactors } from './second-factors'
import { matchesPassword } from './passwords'
import type { ProviderCheck } from './provider-check'
import type { Session } from './session-cookie'
import { getSignInRules, mayUsePassword, type PasswordEnv } from './sign-in-rules'
import type { Sessions, StoredSession } from './sessions'
import { type Secret, secretKey, type Throttle } from './throttle'
import type { Viewer, Exporter } from './viewer'

type Stored = { viewers: { stored: (session: Session) => Promise<StoredSession | null> } }
type Requiring = Stored & {
  env: Pick<Env, 'mode'>
  now: () => number
  providerCheck: Pick<ProviderCheck, 'canProve'> | null
}

export const PROOF_TTL_MS = 10 * 60_000

/** ASVS 5.0, 7.5. Not in the demo, whose passwords are public, nor for providers that cannot prove a fresh sign-in. */
export async function requireProof({ env, now, viewers, providerCheck }: Requiring, session: Session): Promise<void> {
  if (env.mode === 'demo') return
  const stored = await viewers.stored(session)
  if (!stored) throw new UnauthenticatedError()
  if (stored.method === 'oidc' && providerCheck?.canProve() !== true) return
  if (now() - stored.provedAt.getTime() > PROOF_TTL_MS) throw new ReauthenticationError()
}

export async function requireProofForMany(
  parts: Requiring & { settings: Settings },
  viewer: Exporter,
  session: Session,
  count: number,
): Promise<void> {
  const { proofAboveLeads } = await getSignInRules(parts, viewer)
  if (count > proofAboveLeads) await requireProof(parts, session)
}

type Counting = { throttle: Throttle; activity: Pick<Activity, 'record'> }
type Proving = Stored &
  Counting & {
    env: PasswordEnv
    users: Pick<Users, 'find'>
    secondFactors: Pick<SecondFactors, 'check' | 'list'>
    sessions: Pick<Sessions, 'recordProof'>
    announcer: UserAnnouncer
  }

export async function waysToProve(
  { secondFactors, viewers }: Pick<Proving, 'secondFactors' | 'viewers'>,
  viewer: Viewer,
  _none: unknown,
  { session }: { session: Session },
): Promise<ProofWaysAnswer> {
  if ((await viewers.stored(session))?.method === 'oidc') return { ways: ['provider'] }
  const hasFactor = (await secondFactors.list(viewer.id)).length > 0
  return { ways: [hasFactor ? 'code' : 'password'] }
}

/** With a second factor a password alone is no proof; neither is a local secret for a provider's session. */
export async function giveProof(
  parts: Proving,
  viewer: Viewer,
  given: GivenProof,
  { session }: { session: Session },
): Promise<void> {
  const stored = await parts.viewers.stored(session)
  if (!stored) throw new UnauthenticatedError()
  if (stored.method === 'oidc') throw new ConflictError('This session is proved at the provider')
  const { password, code } = { password: null, code: undefined, ...given }
  const secret = secretOf(code) ?? 'password'
  const how = await withThrottle(parts, viewer, secret, () => verifiedMethod(parts, viewer, code, password))
  await parts.sessions.recordProof(session.id)
  await parts.activity.record({ userId: viewer.id, action: 'proof-given', details: { with: how } })
  if (how === 'recovery-code') await parts.activity.record({ userId: viewer.id, action: 'recovery-code-used' })
  await parts.announcer.userChanged(viewer.id)
}

/** Counted apart from sign-ins: guesses at the sign-in page do not lock out signed-in users. */
export async function withThrottle<T>(
  { throttle, activity }: Counting,
  viewer: Viewer,
  secret: Secret,
  work: () => Promise<T | null>,
): Promise<T> {
  const key = secretKey(viewer.id, secret)
  const locked = await throttle.countTry(key)
  if (locked) throw new TooManyTriesError(locked.retryAfterSeconds)
  const done = await work()
  if (done === null) {
    await activity.record({ userId: viewer.id, action: 'proof-failed' })
    throw new WrongProofError()
  }
  await throttle.succeeded(key)
  return done
}

async function verifiedMethod(
  { env, users, secondFactors }: Pick<Proving, 'env' | 'users' | 'secondFactors'>,
  viewer: Viewer,
  code: string | undefined,
  password: string | null,
): Promise<string | null> {
  const outcome = await secondFactors.check(viewer.id, code)
  if (outcome === 'totp' || outcome === 'recovery-code') return outcome
  if (outcome !== 'none' || password === null) return null
  const user = await users.find(viewer.id)
  if (user === null || !mayUsePassword(env, user)) return null
  return (await matchesPassword(user.passwordHash, password)) ? 'password' : null
}
